// Links between the records of one person, each with how sure it is and why.
import { h, line } from "./dom.js";
import { asWritten, calmName, calmTerm } from "./casing.js";
import { born, date, word } from "./format.js";
import { grounds, status, time } from "./parts.js";
import { t } from "./words.js";

/** What a query asks of a link to a court case. */
export const caseFields = "confidence reasons case { id caseNumber offense courtType county { name } status filedDate filedDateInferred nextHearing }";
/** What a query asks of a link to a booking, other than its grounds. */
export const bookingFields = "id name county { name } bookingDate releaseDate status charges";

const facts = (parts) => h("p", { class: "small quiet" }, line(parts));

function linked(href, title, state, confidence, reasons, ...more) {
  return h("div", { class: "linked " + confidence.toLowerCase() },
    h("div", { class: "row" }, h("h4", null, h("a", { href }, title), " ", status(state))), more, grounds(confidence, reasons));
}

export const bookingLink = (b, confidence, reasons, ...more) =>
  linked("/roster/" + encodeURIComponent(b.id), [asWritten(b.name, calmName), ", " + t("{name} County", { name: b.county.name })], b.status, confidence, reasons,
    facts([h("span", null, t("booked") + " ", time(b.bookingDate)), b.releaseDate && h("span", null, t("released") + " ", time(b.releaseDate))]),
    b.charges.length ? h("p", { class: "small" }, line(b.charges.map((c) => asWritten(c)), "; ")) : null, more);

export const caseLink = (l) =>
  linked("/cases/" + encodeURIComponent(l.case.id), l.case.caseNumber, l.case.status, l.confidence, l.reasons,
    h("p", { class: "small" }, asWritten(l.case.offense)),
    facts([t("{courtType} court, {name} County", { courtType: word(l.case.courtType), name: l.case.county.name }), (l.case.filedDateInferred ? t("known since") + " " : t("filed") + " ") + date(l.case.filedDate), l.case.nextHearing && h("span", null, t("next hearing") + " ", time(l.case.nextHearing))]));

export const offenderLink = (o, confidence, reasons, ...more) =>
  linked("/corrections/" + encodeURIComponent(o.gdcId), asWritten(o.name, calmName), o.status, confidence, reasons,
    facts([o.gdcId, word(o.category), o.institution && asWritten(o.institution, calmName), born(o), o.sentence && asWritten(o.sentence, calmTerm)]), more);

const sure = ["LOW", "MEDIUM", "HIGH"];

/** A booking that is linked only by way of another record: no surer than the weaker of the two links. */
export function bookingBy(way, first, { record, confidence, reasons }) {
  return bookingLink(record, sure[Math.min(sure.indexOf(first), sure.indexOf(confidence))], reasons,
    h("p", { class: "small" }, t("By way of the {way}, to which the booking on this page is linked with {first} confidence and this one with {confidence} confidence, because:", { way, first: word(first), confidence: word(confidence) })));
}

/** One family of linked records under its heading; nothing when there are none. */
export function family(title, links) {
  return links.length ? h("section", { class: "stack-small" }, h("h3", null, title, " ", h("span", { class: "quiet small num" }, String(links.length))), links) : null;
}

/** The card of all linked records, or what to do when there are none. */
export function picture(name, none, ...families) {
  const shown = families.filter(Boolean);
  return h("section", { class: "card", "aria-labelledby": "h-linked" }, h("h2", { id: "h-linked" }, t("Linked records")),
    shown.length
      ? [h("p", { class: "hint" }, t("These records may belong to the same person. Links are made from names, birth dates and places: check the reasons before you rely on one.")), h("div", { class: "stack" }, shown)]
      : [h("p", { class: "quiet" }, none), h("p", { class: "off-paper" }, h("a", { href: "/search?q=" + encodeURIComponent(name) }, t("Search this name in all records")))]);
}
