// The page of a booking: the stay, its charges, and the same person's other records with the grounds of each link.
import { h, byId, card, facts, table } from "./dom.js";
import { age } from "./ages.js";
import { ask } from "./api.js";
import { bond } from "./bonds.js";
import { money, born, length } from "./format.js";
import { bookingFields, caseFields, bookingBy, caseLink, offenderLink, family, picture } from "./links.js";
import { timeline, historyFields } from "./history.js";
import { photograph, photographFields } from "./photograph.js";
import { status, time, freshness, programs, everything, head, load, watch } from "./parts.js";

const query = `query Booking($id: ID!) {
  rosterRecord(id: $id) {
    id name dob birthYear county { slug name } bookingDate releaseDate releaseInferred status bondAmount ${photographFields}
    chargeDetails { description statute severity bondAmount bondText disposition }
    source { title state lagSeconds note }
    firstSeen lastSeen lastChange ${historyFields}
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
  if (!b.chargeDetails.length) return card("Charges", h("p", { class: "quiet" }, "The jail has stated no charge."));
  const has = (name) => b.chargeDetails.some((c) => c[name] !== null);
  /** @type {any[]} */
  const columns = [{ name: "Charge", of: (c) => [c.description, c.disposition && h("p", { class: "small quiet" }, c.disposition)] }];
  if (has("statute")) columns.push({ name: "Statute", of: (c) => c.statute || "–" });
  if (has("severity")) columns.push({ name: "Severity", of: (c) => c.severity || "–" });
  if (has("bondAmount") || has("bondText")) columns.push({ name: "Bond", num: true, whole: has("bondText"), of: (c) => bond(c.bondAmount, c.bondText) });
  return card("Charges", table("Charges one by one", columns, b.chargeDetails.map((c) => columns.map((k) => k.of(c)))));
}

function stay(b) {
  return card("Custody", facts([
    ["Booked", time(b.bookingDate)],
    ["Released", b.releaseDate ? [time(b.releaseDate), b.releaseInferred ? h("p", { class: "small quiet" }, "when the jail’s list no longer showed it") : null] : "not released"],
    [b.releaseDate ? "Held for" : "Time in custody", b.releaseDate ? length((Date.parse(b.releaseDate) - Date.parse(b.bookingDate)) / 1000) : age(b.bookingDate, "for")],
    ["Total bond", money(b.bondAmount) || "none set"],
    ["County", h("a", { href: "/counties/" + b.county.slug }, b.county.name)],
    ["Record id", h("code", null, b.id)],
  ]));
}

function person(b) {
  const match = b.gdcMatch;
  const others = match ? match.record.countyRecords.filter((r) => r.rosterId !== b.id) : [];
  return picture(b.name, "Neither a state corrections record nor a court case is linked to this booking.",
    family("State corrections", match ? [offenderLink(match.record, match.confidence, match.reasons, match.mugshotMatch ? h("p", { class: "small" }, "Photographs were found to agree.") : null)] : []),
    family("Other bookings of the state record", others.map((r) => bookingBy("state record", match.confidence, r))),
    family("Court cases", b.courts.map(caseLink)));
}

load(article, async () => (await ask(query, { id })).rosterRecord, (b) => [
  head(b.name, status(b.status), [b.county.name + " County", " · ", born(b)], everything(b.id), watch(b.name, b)),
  h("div", { class: "columns" },
    h("div", { class: "stack" }, stay(b), charges(b), person(b), timeline(b.history, b.firstSeen)),
    h("div", { class: "side" },
      b.mugshot ? card("Photograph", photograph(b, 240), h("p", { class: "small quiet" }, "As the jail showed it on ", time(b.mugshot.takenAt), ". A booking is not a conviction.")) : null,
      freshness(b.source, [["First seen", time(b.firstSeen)], ["Last seen", time(b.lastSeen)], ["Last change", time(b.lastChange)]]),
      programs("GET /v1/roster/" + b.id, "showRosterRecord"))),
]);
