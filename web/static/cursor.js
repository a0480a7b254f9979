// The cursor that the charts of a page share: pointing at a day in one of them marks it in all, and each says its figures. The arrow
// keys do the same, so each chart is a slider to those who do not see it.
import { h, svg } from "./dom.js";

/**
 * What a chart marks: its days or weeks in order, each by its last day, and what it says of one.
 * @typedef {object} Marked
 * @property {any} picture
 * @property {{ date: string }[]} days
 * @property {(i: number) => number} at
 * @property {(day: any) => string} text
 * @property {number} left
 * @property {number} width
 * @property {number} height
 */

/** How many days a key goes. */
const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -7, PageUp: 7, Home: -Infinity, End: Infinity };

/** The charts of a page. */
export function sharedCursor() {
  const charts = /** @type {((day: string | null) => void)[]} */ ([]);
  /** Marks a day in all charts; null: none, and each says its last day. */
  const point = (/** @type {string | null} */ day) => charts.forEach((show) => show(day));

  /**
   * Adds a chart. The line that is returned says the figures of the marked day.
   * @param {Marked} chart
   */
  function add({ picture, days, at, text, left, width, height }) {
    const line = h("p", { class: "readout num", "aria-hidden": "true" }); // the slider says the same
    const mark = svg("line", { class: "mark", y1: 0, y2: height });
    picture.append(mark);
    let now = days.length - 1;

    function show(day) {
      now =
        day === null
          ? days.length - 1
          : Math.max(
              0,
              days.findIndex((d) => d.date >= day),
            );
      for (const end of ["x1", "x2"]) mark.setAttribute(end, at(now));
      mark.setAttribute("visibility", day === null ? "hidden" : "visible");
      line.textContent = text(days[now]);
      picture.setAttribute("aria-valuenow", now);
      picture.setAttribute("aria-valuetext", line.textContent);
    }

    const go = (i) => point(days[Math.max(0, Math.min(days.length - 1, i))].date);
    picture.setAttribute("aria-valuemin", 0);
    picture.setAttribute("aria-valuemax", days.length - 1);
    picture.addEventListener("pointermove", (e) => {
      const box = picture.getBoundingClientRect();
      const x = ((e.clientX - box.left) / box.width) * width - left;
      go(Math.floor(x / ((width - left) / days.length)));
    });
    picture.addEventListener("pointerleave", () => point(null));
    picture.addEventListener("focus", () => picture.matches(":focus-visible") && go(now));
    picture.addEventListener("blur", () => point(null));
    picture.addEventListener("keydown", (e) => {
      if (!(e.key in steps) || e.ctrlKey || e.metaKey || e.altKey) return;
      e.preventDefault();
      go(now + steps[e.key]);
    });
    charts.push(show);
    show(null);
    return line;
  }
  return { add };
}

/** @typedef {ReturnType<typeof sharedCursor>} Cursor */
