// What a year of bookings would have brought to an alert that is being made, and what would leave fewer.
import { h, show } from "./dom.js";
import { ask } from "./api.js";
import { count, plural } from "./format.js";

const query = `query Year($name: String!, $county: String, $level: MatchLevel, $dob: Date, $birthYear: Int, $age: Int, $ageOn: Date) {
  previewAlert(name: $name, county: $county, level: $level, dob: $dob, birthYear: $birthYear, age: $age, ageOn: $ageOn) {
    wrongPerYear
    year { bookings byName byVariant days countiesLater estimate countiesCovered narrowings { by county { name } bookings } }
  }
}`;
const counties = 159;
const whole = 365;
const ways = { COUNTY: "a county", BIRTH_YEAR: "a birth year", BIRTH_DATE: "a birth date", MIDDLE_NAME: "a middle name" };

/** Fills box with the year of what is asked. county is the name of the one that is watched; empty: all. */
export async function year(box, asked, county, signal) {
  box.setAttribute("aria-busy", "true");
  show(box, h("p", { class: "small quiet" }, "Counting the bookings of a year …"));
  try {
    const { previewAlert: p } = await ask(query, asked, { signal, stay: true });
    show(box, found(p.year), wrong(p.wrongPerYear), known(p.year), narrower(p.year), covered(p.year, county));
  } catch (err) {
    show(box, err.name === "AbortError" ? null : h("p", { class: "note bad small" }, err.message));
  } finally {
    if (!signal.aborted) box.removeAttribute("aria-busy");
  }
}

/** How many: under the name itself, and under other ways of writing it. */
function found(y) {
  const bookings = h("b", { class: "num" }, count(y.bookings));
  if (!y.bookings) return h("p", { class: "expect" }, bookings, " bookings in 12 months");
  return h("p", { class: "expect" }, bookings, " " + (y.bookings === 1 ? "booking" : "bookings") + " in 12 months: " +
    count(y.byName) + " under this name, " + count(y.byVariant) + " written another way");
}

/** How often somebody whose name does not fit is to be expected, at this level and by what is known of the birth. */
function wrong(n) {
  if (n === null) return null;
  const often = n >= 1 ? "about " + plural(Math.round(n), "wrong alert") + " a year" : n > 0.001 ? "about one wrong alert in " + plural(Math.round(1 / n), "year") : "hardly ever a wrong alert";
  return h("p", { class: "small" }, "Of people whose name does not fit, expect " + often + " for an average name. Namesakes are not counted.");
}

/** Of how many days that speaks; nothing where it is a whole year of every county. */
function known(y) {
  const parts = [];
  if (y.days < whole) parts.push("Bookings are known in full for " + plural(y.days, "day") + " only. Of the time before, only those are known whom a jail still listed.");
  if (y.countiesLater) parts.push(plural(y.countiesLater, "county", "counties") + " of these are known for fewer days.");
  if (y.estimate !== null) parts.push("A whole year is estimated at " + plural(y.estimate, "booking") + ".");
  return parts.length ? h("p", { class: "small quiet" }, parts.join(" ")) : null;
}

/** What would leave fewer; the first helps most. */
function narrower(y) {
  if (!y.narrowings.length) return null;
  return h("div", null, h("p", { class: "small" }, "To get fewer, add:"),
    h("ul", { class: "small" }, y.narrowings.map((n, i) => h("li", null, i === 0 ? h("b", null, ways[n.by]) : ways[n.by],
      ": " + count(n.bookings) + " at most" + (n.county ? " (" + n.county.name + " has the most)" : "")))));
}

/** What an alert on a county without a source does. */
export const uncovered = (county) => "We don’t cover the " + county + " County jail. An alert there finds nobody until we do.";

/** Where nobody would be found, as no source reports the jail. */
function covered(y, county) {
  if (county) return y.countiesCovered ? null : h("p", { class: "note warn small" }, uncovered(county));
  return y.countiesCovered >= counties ? null : h("p", { class: "small quiet" }, y.countiesCovered + " of Georgia’s " + counties + " counties are covered. People who are booked in the others are not found.");
}
