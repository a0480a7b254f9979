// Bookings under names that are similar to the one searched for, below the results.
import { h, show } from "./dom.js";
import { ask } from "./api.js";
import { asWritten, calmName } from "./casing.js";
import { count, moment, born, plural } from "./format.js";
import { status } from "./parts.js";
import { t } from "./words.js";

const still = 900; // ms after the results: looking takes seconds, so it waits until the reader stops typing
const enough = 5; // bookings from which on nobody looks further without being asked
const query = `query Similar($name: String!, $county: String) { similarNames(name: $name, county: $county) {
  total days names { reasons record { id name dob birthYear county { name } bookingDate status } } } }`;

const row = ({ reasons, record: r }) => h("a", { class: "result", href: "/roster/" + encodeURIComponent(r.id), "data-result": true }, h("b", null, asWritten(r.name, calmName)), status(r.status),
  h("span", { class: "meta" }, [t("{name} County", { name: r.county.name }), t("booked {day}", { day: moment(r.bookingDate) }), born(r)].join(" · "), h("br"), reasons.map((r) => t(r)).join("; ")));

let timer = 0;

/** A place for similar names: filled by itself where a search found few bookings, else when the reader asks for it. */
export function similar(name, county, found, signal) {
  const place = h("div", { id: "similar" });
  const look = async () => {
    show(place, h("p", { class: "small quiet", role: "status" }, t("Looking for similar names…")));
    try {
      const { similarNames: s } = await ask(query, { name, county: county || null }, { signal });
      if (!s.total) {
        show(place, h("p", { class: "small quiet", role: "status" }, t("No similar names among the bookings of the last {days day|days}.", { days: s.days })));
        return;
      }
      show(place, h("section", { class: "card group", "aria-labelledby": "g-similar" },
        h("div", { class: "card-head" }, h("h2", { id: "g-similar" }, t("Similar names")), h("span", { class: "quiet small num" }, s.total > s.names.length ? t("{length} of {total}", { length: s.names.length, total: s.total }) : count(s.total))),
        h("p", { class: "small quiet" }, t("Booked in the last {days day|days} under a name that may be the same one, spelled differently. Compare the birth dates.", { days: s.days })),
        h("div", { class: "results" }, s.names.map(row))));
    } catch (err) {
      if (err.name === "AbortError") return;
      show(place, err.field ? null : h("p", { class: "small quiet" }, err.message)); // no name that can be compared
    }
  };
  if (found > enough) {
    show(place, h("p", { class: "bar" }, h("button", { type: "button", class: "small-button", click: look }, t("Look for similar names"))));
    return place;
  }
  clearTimeout(timer); // of a place that was drawn anew
  timer = setTimeout(look, still);
  signal.addEventListener("abort", () => clearTimeout(timer));
  return place;
}
