// The booking photograph of a person, small and only when it comes into view. Its address works for five minutes, so it is asked
// for with the record and never remembered. One that comes into view later asks for another address.
import { ask } from "./api.js";
import { h } from "./dom.js";
import { day } from "./format.js";
import { t } from "./words.js";

/** The selection of a photograph, for a query. */
export const photographFields = "mugshot(size: SMALL) { url width height takenAt }";

const choice = "rollcall-blur";

/** Whether this browser shows photographs blurred until they are asked for. */
export const blurs = () => localStorage.getItem(choice) === "yes";

/** Notes that choice. */
export const setBlur = (yes) => (yes ? localStorage.setItem(choice, "yes") : localStorage.removeItem(choice));

/** The photograph of a booking at most side pixels high; null without one. Inside of a link it stays blurred: the link leads to where it can be asked for. */
export function photograph(record, side, inLink = false) {
  const m = record.mugshot;
  if (!m) return null;
  const scale = Math.min(1, side / m.height, side / m.width);
  const blurred = blurs();
  const image = h("img", {
    src: here(m.url),
    width: Math.round(m.width * scale), height: Math.round(m.height * scale), loading: "lazy", decoding: "async", class: blurred ? "photograph blurred" : "photograph",
    alt: t("booking photograph of the jail, {takenAt}", { takenAt: day(m.takenAt) }),
  });
  const whole = !blurred || inLink ? image : h("div", { class: "photograph-asked" }, image, h("button", { type: "button", click: (e) => {
    image.classList.remove("blurred");
    e.currentTarget.remove();
  } }, t("Show photograph")));
  let again = false;
  image.addEventListener("error", async () => {
    if (again) return whole.remove();
    again = true; // its address is over, or it was removed since
    const now = await ask(anew, { id: record.id }).catch(() => null);
    if (now?.rosterRecord?.mugshot) image.src = here(now.rosterRecord.mugshot.url);
    else whole.remove();
  });
  return whole;
}

const anew = `query Photograph($id: ID!) { rosterRecord(id: $id) { ${photographFields} } }`;

/** The address on this page’s own origin, whatever name it was opened by. */
const here = (address) => new URL(address).pathname;

/** Shows the photographs of a part of a page that the service made, which is shown or about to be. */
export function showPhotographs(part) {
  for (const place of part.querySelectorAll("[data-photograph]")) {
    const { photograph: id, src, width, height, taken } = place.dataset;
    const shown = photograph({ id, mugshot: { url: new URL(src, location.href).href, width: Number(width), height: Number(height), takenAt: taken } }, 64);
    place.removeAttribute("data-photograph");
    place.replaceChildren(shown);
  }
}
