// Saves a chart as a picture of its own: an SVG file that holds its colours, its title and where it comes from, and needs neither
// the page nor its styles.
import { h, svg } from "./dom.js";
import { t } from "./words.js";

const kept = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity", "font-size", "text-anchor"];
const font = "system-ui, sans-serif";

/** A button that saves the chart beside it. title and source are lines in the picture; name is that of the file. */
export function chartFile(picture, { title, source, name }) {
  const button = h("button", { type: "button", class: "small-button" }, t("Download as SVG"), h("span", { class: "visually-hidden" }, ": " + title));
  button.addEventListener("click", () => {
    const link = h("a", { href: "data:image/svg+xml;charset=utf-8," + encodeURIComponent(fileOf(picture, title, source)), download: name + ".svg" });
    document.body.append(link);
    link.click();
    link.remove();
  });
  return h("p", { class: "off-paper" }, button);
}

/** The text of the file. Colours are those of the page as it is shown, light or dark. */
export function fileOf(picture, title, source) {
  const copy = picture.cloneNode(true);
  const shown = [picture, ...picture.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, i) => {
    const style = getComputedStyle(shown[i]);
    for (const property of kept) element.setAttribute(property, style.getPropertyValue(property));
    element.removeAttribute("class");
    element.removeAttribute("style");
  });
  copy.setAttribute("role", "img"); // in a file nothing can be moved
  for (const name of ["tabindex", "aria-valuemin", "aria-valuemax", "aria-valuenow", "aria-valuetext"]) copy.removeAttribute(name);
  for (const mark of copy.querySelectorAll("[visibility=hidden]")) mark.remove();
  const [x, y, width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
  const page = getComputedStyle(picture.closest(".card") || document.body);
  const text = (at, size, words) =>
    svg("text", { x: x + 4, y: at, "font-size": size, "font-family": font, fill: page.color, stroke: "none", opacity: 1 }, words);
  const above = 30;
  const below = 26;
  copy.prepend(
    svg("title", null, title),
    svg("rect", { x, y: y - above, width, height: height + above + below, fill: page.backgroundColor }),
    text(y - 12, 15, title),
  );
  copy.append(text(y + height + 14, 10, source));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", [x, y - above, width, height + above + below].join(" "));
  copy.setAttribute("width", 2 * width);
  copy.setAttribute("height", 2 * (height + above + below));
  copy.setAttribute("font-family", font);
  return new XMLSerializer().serializeToString(copy);
}
