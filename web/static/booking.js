// The page of a booking: the stay, its charges, and the same person's other records with the grounds of each link.
import { h, byId, card, facts, table } from "./dom.js";
import { age } from "./ages.js";
import { ask } from "./api.js";
import { bond } from "./bonds.js";
import { asWritten } from "./casing.js";
import { money, born, length } from "./format.js";
import { bookingFields, caseFields, bookingBy, caseLink, offenderLink, family, picture } from "./links.js";
import { timeline, historyFields } from "./history.js";
import { photograph, photographFields } from "./photograph.js";
import { status, severity, time, freshness, programs, everything, head, load, watch } from "./parts.js";
import { t } from "./words.js";

const query = `query Booking($id: ID!) {
  rosterRecord(id: $id) {
    id name dob birthYear county { slug name } bookingDate releaseDate releaseInferred status bondAmount ${photographFields}
    chargeDetails { description statute severity bondAmount bondText disposition }
    source { title state lagSeconds note }
    firstSeen lastChange ${historyFields}
    gdcMatch {
      confidence reasons mugshotMatch
      record {
        gdcId name dob birthYear category institution status sentence releaseDate releaseDateProjected
        countyRecords { rosterId confidence reasons record { ${bookingFields} } }
      }
    }
    courts { ${caseFields} }
  }
}`;

const article = byId("record");
const id = article.dataset.id;

function charges(b) {
  if (!b.chargeDetails.length) return card(t("Charges"), h("p", { class: "quiet" }, t("The jail has stated no charge.")));
  const has = (name) => b.chargeDetails.some((c) => c[name] !== null);
  /** @type {any[]} */
  const columns = [{ name: t("Charge"), of: (c) => [asWritten(c.description), c.disposition && h("p", { class: "small quiet" }, asWritten(c.disposition))] }];
  if (has("statute")) columns.push({ name: t("Statute"), of: (c) => c.statute || "–" });
  if (has("severity")) columns.push({ name: t("Severity"), of: (c) => severity(c.severity) || "–" });
  if (has("bondAmount") || has("bondText")) columns.push({ name: t("Bond"), num: true, whole: has("bondText"), of: (c) => bond(c.bondAmount, c.bondText) });
  return card(t("Charges"), table(t("Charges one by one"), columns, b.chargeDetails.map((c) => columns.map((k) => k.of(c)))));
}

/** The case with the next hearing among those that are linked; null when none is scheduled. */
const nextCase = (b) => b.courts.map((l) => l.case).filter((c) => c.nextHearing).sort((x, y) => Date.parse(x.nextHearing) - Date.parse(y.nextHearing))[0] || null;

const held = (b) => (b.releaseDate ? length((Date.parse(b.releaseDate) - Date.parse(b.bookingDate)) / 1000) : age(b.bookingDate, "for"));

/** What a reader comes for, in one line. */
function keyFacts(b) {
  const next = nextCase(b);
  return [
    [b.releaseDate ? t("Released") : t("In custody for"), b.releaseDate ? time(b.releaseDate) : held(b)],
    [t("Total bond"), money(b.bondAmount) || t("none set")],
    [t("Next hearing"), next ? h("a", { href: "/cases/" + encodeURIComponent(next.id) }, time(next.nextHearing)) : b.courts.length ? t("none scheduled") : t("no linked case")],
  ];
}

function stay(b) {
  return card(t("Custody"), facts([
    [t("Booked"), time(b.bookingDate)],
    [t("Released"), b.releaseDate ? [time(b.releaseDate), b.releaseInferred ? h("p", { class: "small quiet" }, t("when the jail’s list no longer showed it")) : null] : null],
    [t("Held for"), b.releaseDate ? held(b) : null],
    [t("County"), h("a", { href: "/counties/" + b.county.slug }, b.county.name)],
    [t("Record id"), h("code", null, b.id)],
  ]));
}

function person(b) {
  const match = b.gdcMatch;
  const others = match ? match.record.countyRecords.filter((r) => r.rosterId !== b.id) : [];
  return picture(b.name, t("Neither a state corrections record nor a court case is linked to this booking."),
    family(t("State corrections"), match ? [offenderLink(match.record, match.confidence, match.reasons, match.mugshotMatch ? h("p", { class: "small" }, t("Photographs were found to agree.")) : null)] : []),
    family(t("Other bookings of the state record"), others.map((r) => bookingBy(t("state record"), match.confidence, r))),
    family(t("Court cases"), b.courts.map(caseLink)));
}

load(article, async () => (await ask(query, { id })).rosterRecord, (b) => [
  head({ name: b.name, chip: status(b.status), line: [t("{name} County", { name: b.county.name }), " · ", born(b)], facts: keyFacts(b), actions: [everything(b.id), watch(b.name, b), programs("GET /v1/roster/" + b.id, "showRosterRecord")] }),
  freshness(b),
  h("div", { class: "columns" },
    h("div", { class: "stack" }, charges(b), person(b)),
    h("div", { class: "side" }, stay(b),
      b.mugshot ? card(t("Photograph"), photograph(b, 240), h("p", { class: "small quiet" }, t("As the jail showed it on") + " ", time(b.mugshot.takenAt), t(". A booking is not a conviction."))) : null,
      timeline(b.history, b.firstSeen))),
]);
