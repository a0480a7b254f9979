// The page of a state corrections record, with the county bookings of the same person and the grounds of each link.
import { h, byId, card, facts } from "./dom.js";
import { ask } from "./api.js";
import { date, born, word } from "./format.js";
import { timeline, historyFields } from "./history.js";
import { status, time, grounds, freshness, head, load } from "./parts.js";

const query = `query Offender($id: ID!) {
  correctionsRecord(gdcId: $id) {
    gdcId name dob birthYear category categories institution sentence status releaseDate releaseDateProjected paroleEndDate ${historyFields}
    countyRecords { rosterId county { name } bookingDate status confidence reasons record { name releaseDate charges } }
  }
  sources { id title kind state lagSeconds }
}`;

const article = byId("record");
const id = article.dataset.id;

function bookings(o) {
  if (!o.countyRecords.length) return card("County bookings", h("p", { class: "quiet" }, "No county booking is linked to this record."),
    h("p", null, h("a", { href: "/search?q=" + encodeURIComponent(o.name) }, "Search this name in all records")));
  return card("County bookings", h("div", { class: "stack" }, o.countyRecords.map((r) =>
    h("div", { class: "linked " + r.confidence.toLowerCase() },
      h("h3", null, h("a", { href: "/roster/" + encodeURIComponent(r.rosterId) }, r.record.name + ", " + r.county.name + " County"), " ", status(r.status)),
      h("p", { class: "small quiet" }, "booked ", time(r.bookingDate), r.record.releaseDate ? [", released ", time(r.record.releaseDate)] : null),
      h("p", { class: "small" }, r.record.charges.join("; ")),
      grounds(r.confidence, r.reasons)))));
}

load(article, async () => {
  const data = await ask(query, { id });
  return data.correctionsRecord ? data : null;
}, ({ correctionsRecord: o, sources }) => {
  const source = sources.find((s) => s.kind === "corrections");
  return [
    head(o.name, status(o.status), [o.gdcId, " · ", born(o)]),
    h("div", { class: "columns" },
      h("div", { class: "stack" },
        card("The record", facts([
          ["Categories", o.categories.map(word).join(", ")], ["Institution", o.institution || "none stated"], ["Sentence", o.sentence || "none stated"],
          [o.releaseDateProjected ? "Projected release" : "Release", date(o.releaseDate) || "none stated"], ["Parole ends", date(o.paroleEndDate)], ["Offender id", h("code", null, o.gdcId)]]),
        h("p", { class: "hint" }, "Court orders and administrative decisions can change these dates.")),
        bookings(o), timeline(o.history)),
      h("div", { class: "side" }, source ? freshness(source) : null)),
  ];
});
