// The page of a state corrections record, with the county bookings of the same person and the grounds of each link.
import { h, byId, card, facts } from "./dom.js";
import { ask } from "./api.js";
import { asWritten, calmName, calmTerm } from "./casing.js";
import { date, born, word } from "./format.js";
import { timeline, historyFields } from "./history.js";
import { bookingFields, caseFields, bookingLink, caseLink, family, picture } from "./links.js";
import { status, time, freshness, programs, everything, head, load, watch } from "./parts.js";

const query = `query Offender($id: ID!) {
  correctionsRecord(gdcId: $id) {
    gdcId name dob birthYear category categories institution sentence status releaseDate releaseDateProjected paroleEndDate ${historyFields}
    source { title state lagSeconds note } firstSeen lastChange
    countyRecords { confidence reasons record { ${bookingFields} } }
    courts { ${caseFields} }
  }
}`;

const article = byId("record");
const id = article.dataset.id;

const person = (o) => picture(o.name, "Neither a county booking nor a court case is linked to this record.",
  family("County bookings", o.countyRecords.map((r) => bookingLink(r.record, r.confidence, r.reasons))),
  family("Court cases", o.courts.map(caseLink)));

load(article, async () => (await ask(query, { id })).correctionsRecord, (o) => [
  head({
    name: o.name, chip: status(o.status), line: [o.gdcId, " · ", born(o)],
    facts: [
      ["Institution", o.institution ? asWritten(o.institution, calmName) : "none stated"], ["Sentence", o.sentence ? asWritten(o.sentence, calmTerm) : "none stated"],
      [o.releaseDateProjected ? "Projected release" : "Release", date(o.releaseDate) || "none stated"]],
    actions: [everything("gdc-" + o.gdcId), watch(o.name, o), programs("GET /v1/corrections/" + o.gdcId, "showCorrectionsRecord")],
  }),
  freshness(o),
  h("div", { class: "columns" },
    h("div", { class: "stack" }, person(o)),
    h("div", { class: "side" },
      card("The record", facts([["Categories", o.categories.map(word).join(", ")], ["Parole ends", date(o.paroleEndDate)], ["Offender id", h("code", null, o.gdcId)]]),
        h("p", { class: "hint" }, "Court orders and administrative decisions can change these dates.")),
      timeline(o.history, o.firstSeen))),
]);
