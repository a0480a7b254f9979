// The page of a state corrections record, with the county bookings of the same person and the grounds of each link.
import { h, byId, card, facts } from "./dom.js";
import { ask } from "./api.js";
import { asWritten, calmName, calmTerm } from "./casing.js";
import { date, born, word } from "./format.js";
import { timeline, historyFields } from "./history.js";
import { bookingFields, caseFields, bookingLink, caseLink, family, picture } from "./links.js";
import { status, time, freshness, programs, everything, head, load, watch } from "./parts.js";
import { t } from "./words.js";

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

const person = (o) => picture(o.name, t("Neither a county booking nor a court case is linked to this record."),
  family(t("County bookings"), o.countyRecords.map((r) => bookingLink(r.record, r.confidence, r.reasons))),
  family(t("Court cases"), o.courts.map(caseLink)));

load(article, async () => (await ask(query, { id })).correctionsRecord, (o) => [
  head({
    name: o.name, chip: status(o.status), line: [o.gdcId, " · ", born(o)],
    facts: [
      [t("Institution"), o.institution ? asWritten(o.institution, calmName) : t("none stated")], [t("Sentence"), o.sentence ? asWritten(o.sentence, calmTerm) : t("none stated")],
      [o.releaseDateProjected ? t("Projected release") : t("Release"), date(o.releaseDate) || t("none stated")]],
    actions: [everything("gdc-" + o.gdcId), watch(o.name, o), programs("GET /v1/corrections/" + o.gdcId, "showCorrectionsRecord")],
  }),
  freshness(o),
  h("div", { class: "columns" },
    h("div", { class: "stack" }, person(o)),
    h("div", { class: "side" },
      card(t("The record"), facts([[t("Categories"), o.categories.map(word).join(", ")], [t("Parole ends"), date(o.paroleEndDate)], [t("Offender id"), h("code", null, o.gdcId)]]),
        h("p", { class: "hint" }, t("Court orders and administrative decisions can change these dates."))),
      timeline(o.history, o.firstSeen))),
]);
