// The page of a state corrections record, with the county bookings of the same person and the grounds of each link.
import { h, byId, card, facts } from "./dom.js";
import { ask } from "./api.js";
import { date, born, word } from "./format.js";
import { timeline, historyFields } from "./history.js";
import { bookingFields, caseFields, bookingLink, caseLink, family, picture } from "./links.js";
import { status, time, freshness, programs, everything, head, load, watch } from "./parts.js";

const query = `query Offender($id: ID!) {
  correctionsRecord(gdcId: $id) {
    gdcId name dob birthYear category categories institution sentence status releaseDate releaseDateProjected paroleEndDate ${historyFields}
    source { title state lagSeconds note } firstSeen lastSeen lastChange
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
  head(o.name, status(o.status), [o.gdcId, " · ", born(o)], everything("gdc-" + o.gdcId), watch(o.name, o)),
  h("div", { class: "columns" },
    h("div", { class: "stack" },
      card("The record", facts([
        ["Categories", o.categories.map(word).join(", ")], ["Institution", o.institution || "none stated"], ["Sentence", o.sentence || "none stated"],
        [o.releaseDateProjected ? "Projected release" : "Release", date(o.releaseDate) || "none stated"], ["Parole ends", date(o.paroleEndDate)], ["Offender id", h("code", null, o.gdcId)]]),
      h("p", { class: "hint" }, "Court orders and administrative decisions can change these dates.")),
      person(o), timeline(o.history, o.firstSeen)),
    h("div", { class: "side" },
      freshness(o.source, [["First seen", time(o.firstSeen)], ["Last seen", time(o.lastSeen)], ["Last change", time(o.lastChange)]]),
      programs("GET /v1/corrections/" + o.gdcId, "showCorrectionsRecord"))),
]);
