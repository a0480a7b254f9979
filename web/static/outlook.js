// What a year of bookings would have brought to an alert that is being made, and what would leave fewer.
import { h, show } from "./dom.js";
import { correct, oneWord, whom } from "./whom.js";
import { ask, gql } from "./api.js";
import { count, plural } from "./format.js";
import { t } from "./words.js";
/** @import { DataOf, VariablesOf } from "../gql" */

const query = gql(`query Year($name: String!, $county: String, $level: MatchLevel, $dob: Date, $birthYear: Int, $age: Int, $ageOn: Date) {
  previewAlert(name: $name, county: $county, level: $level, dob: $dob, birthYear: $birthYear, age: $age, ageOn: $ageOn) {
    wrongPerYear
    year { bookings byName byVariant days countiesLater estimate countiesCovered narrowings { by county { name } bookings } }
  }
}`);
/** @typedef {DataOf<typeof query>["previewAlert"]["year"]} Year */

const counties = 159;
const whole = 365;
const common = 5; // bookings a year of a name that is no average name: of it the figure says nothing
const ways = { COUNTY: t("a county"), BIRTH_YEAR: t("a birth year"), BIRTH_DATE: t("a birth date"), MIDDLE_NAME: t("a middle name") };

/**
 * Fills box with the year of what is asked. county is the name of the one that is watched; empty: all.
 * @param {Element} box
 * @param {VariablesOf<typeof query>} asked
 * @param {string} county
 * @param {AbortSignal} signal
 */
export async function year(box, asked, county, signal) {
  box.setAttribute("aria-busy", "true");
  show(box, h("p", { class: "small quiet" }, t("Counting the bookings of the last 12 months…")));
  try {
    const { previewAlert: p } = await ask(query, asked, { signal, stay: true });
    if (county && !p.year.countiesCovered)
      show(box, covered(p.year, county)); // nothing is known of a year there
    else
      show(box, found(p.year), p.year.bookings > common ? null : wrong(p.wrongPerYear), known(p.year), narrower(p.year, asked.name), covered(p.year, county));
  } catch (err) {
    show(box, err.name === "AbortError" ? null : h("p", { class: "note bad small" }, err.message));
  } finally {
    if (!signal.aborted) box.removeAttribute("aria-busy");
  }
}

const still = 900; // ms after the last key

/** Returns what shows in box the year of an alert's form, once it stands still. A birth that was left as stored keeps the day of its age. */
export function outlook(form, box) {
  const stored = form.dataset;
  let timer = 0,
    running = null;
  return () => {
    clearTimeout(timer);
    if (running) running.abort();
    const mine = (running = new AbortController());
    timer = setTimeout(async () => {
      let person;
      try {
        person = await whom(form, { name: stored.name });
      } catch (err) {
        return show(box, h("p", { class: "small quiet" }, err.field ? correct(err) : err.message));
      }
      if (mine !== running) return;
      if (form.elements.born.value.trim() === stored.born) {
        const number = (text) => Number(text) || null;
        Object.assign(person, { dob: stored.dob || null, birthYear: number(stored.birthYear), age: number(stored.years), ageOn: stored.yearsOn || null });
      }
      year(box, { ...person, level: form.elements.level.value }, person.county ? form.elements.county.selectedOptions[0].dataset.name : "", mine.signal);
    }, still);
  };
}

/**
 * How many: under the name itself, and under other ways of writing it.
 * @param {Year} y
 */
function found(y) {
  const bookings = h("b", { class: "num" }, count(y.bookings));
  if (!y.bookings) return h("p", { class: "expect" }, bookings, " " + t("bookings in our records"));
  return h(
    "p",
    { class: "expect" },
    bookings,
    " " +
      t("{v} in our records: {byName} under this name, {byVariant} written another way", {
        v: y.bookings === 1 ? t("booking") : t("bookings"),
        byName: y.byName,
        byVariant: y.byVariant,
      }),
  );
}

/**
 * How often somebody whose name does not fit is to be expected, at this level, in this county and by what is known of the birth. It is
 * the only figure of that: the levels beside it have none, which would be for a whole state and a name alone.
 * @param {number | null} n
 */
function wrong(n) {
  if (n === null) return null;
  const often =
    n >= 1
      ? t("about {n alert|alerts} a year", { n: Math.round(n) })
      : n > 0.01
        ? t("about one alert in {v year|years}", { v: Math.round(1 / n) })
        : t("almost no alerts");
  return h("p", { class: "small" }, t("With these settings, a typical name brings {often} on people with a different name.", { often }));
}

/**
 * Of how many days that speaks; nothing where it is a whole year of every county.
 * @param {Year} y
 */
function known(y) {
  const parts = [];
  if (y.days < whole)
    parts.push(
      t(
        "Our records are complete only for the last {days day|days}. Older bookings are included only if the person was still in jail when our records began.",
        { days: y.days },
      ),
    );
  if (y.countiesLater) parts.push(t("The records of {countiesLater county|counties} start later.", { countiesLater: y.countiesLater }));
  if (y.estimate !== null && y.bookings) parts.push(t("For a full year, we estimate {estimate booking|bookings}.", { estimate: y.estimate }));
  return parts.length ? h("p", { class: "small quiet" }, parts.join(" ")) : null;
}

/**
 * What would leave fewer; the first helps most.
 * @param {Year} y
 * @param {string} name
 */
function narrower(y, name) {
  if (!y.narrowings.length) return null;
  return h(
    "div",
    null,
    h("p", { class: "small" }, t("To find fewer, add:")),
    h(
      "ul",
      { class: "small" },
      oneWord(name) ? h("li", null, t("a first name")) : null,
      y.narrowings.map((n, i) =>
        h(
          "li",
          null,
          i === 0 ? h("b", null, ways[n.by]) : ways[n.by],
          ": ",
          n.county
            ? t("leaves at most {bookings booking|bookings}, in {name} County", { bookings: n.bookings, name: n.county.name })
            : t("leaves at most {bookings booking|bookings}", { bookings: n.bookings }),
        ),
      ),
    ),
  );
}

/** What an alert on a county without a source does. */
export const uncovered = (/** @type {string} */ county) => t("We don’t cover the {county} County jail. An alert there finds no one until we do.", { county });

/**
 * Where nobody would be found, as no source reports the jail.
 * @param {Year} y
 * @param {string} county
 */
function covered(y, county) {
  if (county) return y.countiesCovered ? null : h("p", { class: "note warn small" }, uncovered(county));
  return y.countiesCovered >= counties
    ? null
    : h(
        "p",
        { class: "small quiet" },
        t("{countiesCovered} of Georgia’s {counties} counties are covered. People booked in the others are not found.", {
          countiesCovered: y.countiesCovered,
          counties,
        }),
      );
}
