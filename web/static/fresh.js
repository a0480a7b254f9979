// Figures grow old while a page stays open. They say as of when they are, and are read again when the reader asks, or comes back to
// the page after a while: not by the clock, which would keep a session alive that nobody uses. The keyboard stays where it is.
import { byId } from "./dom.js";
import { now } from "./ages.js";
import { moment } from "./format.js";
import { t } from "./words.js";

const stale = 60000; // ms after which a reader who comes back finds new figures

/** Lets the page's link "Refresh" call read, which replaces the figures, or leaves them and throws. */
export function refreshing(read) {
  const link = /** @type {HTMLElement | null} */ (document.querySelector("[data-refresh]"));
  if (!link) return;
  const at = byId("as-of");
  const said = byId("refreshed");
  let last = now();
  let running = false;

  async function refresh(asked) {
    if (running) return;
    running = true;
    try {
      await read();
      last = now();
      at.dateTime = new Date(last).toISOString();
      at.textContent = moment(at.dateTime);
      said.textContent = asked ? t("Up to date.") : "";
    } catch (err) {
      said.textContent = asked ? t("Not refreshed. {message}", { message: err.message }) : "";
    }
    running = false;
  }

  link.addEventListener("click", (e) => {
    if (e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    refresh(true);
  });
  document.addEventListener("figures-due", () => refresh(false)); // a page may know of a moment when they move on
  document.addEventListener("visibilitychange", () => !document.hidden && now() - last > stale && refresh(false));
}

/** Replaces what a part shows, unless the reader has the keyboard there or is being asked something; what was unfolded stays so. */
export function replace(part, ...children) {
  if (part.contains(document.activeElement) || part.querySelector("details.confirm[open]")) return;
  const open = [...part.querySelectorAll("details")].map((d) => d.open);
  part.replaceChildren(...children.flat(Infinity).filter(Boolean));
  const now = [...part.querySelectorAll("details")];
  if (now.length === open.length)
    now.forEach((d, i) => {
      d.open = open[i];
    });
}
