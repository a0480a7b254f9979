// Words that grow old while a page stays open, such as "2 minutes ago": they are written anew from the moment that they are
// about. One way for all of them: an element with data-age, whose attribute datetime is that moment. Nothing is fetched.
import { t } from "./words.js";
import { h, byId } from "./dom.js";
import { language, largest, length, moment } from "./format.js";

const every = 15000; // ms
const made = document.querySelector("meta[name=made]"); // when the service made the page: its clock is the one that counts
const ahead = made ? Date.parse(/** @type {HTMLMetaElement} */ (made).content) - Date.now() : 0;

/** The service's time, in milliseconds. */
export const now = () => Date.now() + ahead;

const relative = new Intl.RelativeTimeFormat(language);

const words = {
  /** How long ago; of what is to come, in how long. */
  ago(ms) {
    const seconds = Math.abs(ms) / 1000;
    if (seconds < 60) return ms < 0 ? t("in less than a minute") : t("just now");
    const [n, unit] = largest(seconds);
    return relative.format(ms < 0 ? n : -n, unit);
  },
  /** For how long. */
  for: (ms) => length(Math.max(0, ms) / 1000),
};

/** How long something is ago, or (kind "for") has lasted. */
export function age(instant, kind = "ago") {
  return h("time", { datetime: instant, "data-age": kind, title: moment(instant) }, words[kind](now() - Date.parse(instant)));
}

/** How long ago a number of seconds before the answer is. */
export const before = (seconds) => age(new Date(now() - 1000 * seconds).toISOString());

function refresh() {
  for (const e of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("[data-age]"))) {
    const text = words[e.dataset.age](now() - Date.parse(e.dateTime));
    if (e.textContent !== text) e.textContent = text;
  }
}

setInterval(refresh, every);
addEventListener("focus", refresh);
addEventListener("pageshow", refresh);
document.addEventListener("visibilitychange", refresh);
addEventListener("beforeprint", () => {
  refresh();
  if (!byId("paper-address")) return;
  byId("paper-address").textContent = location.href.split("#")[0];
  byId("paper-time").textContent = ", " + t("printed {at}", { at: moment(new Date(now()).toISOString()) });
});
