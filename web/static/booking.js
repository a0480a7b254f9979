// The page of a booking: the stay, its charges, and the same person's other records with the grounds of each link.
import { h, byId, card, facts, table, list } from "./dom.js";
import { ask } from "./api.js";
import { money, born, word, length } from "./format.js";
import { timeline, historyFields } from "./history.js";
import { status, time, grounds, freshness, head, load } from "./parts.js";

const query = `query Booking($id: ID!) {
  rosterRecord(id: $id) {
    id name dob birthYear county { slug name } bookingDate releaseDate releaseInferred status bondAmount
    chargeDetails { description statute severity bondAmount bondText disposition }
    source { id title kind state lagSeconds }
    firstSeen lastSeen lastChange ${historyFields}
    gdcMatch {
      confidence reasons mugshotMatch
      record {
        gdcId name dob birthYear category institution status sentence releaseDate releaseDateProjected
        countyRecords { rosterId county { name } bookingDate status confidence reasons record { name } }
      }
    }
  }
}`;

const article = byId("record");
const id = article.dataset.id;

function charges(b) {
  if (!b.chargeDetails.length) return card("Charges", h("p", { class: "quiet" }, "The jail has stated no charge."));
  const has = (name) => b.chargeDetails.some((c) => c[name] !== null);
  const columns = [{ name: "Charge", of: (c) => [c.description, c.disposition && h("p", { class: "small quiet" }, c.disposition)] }];
  if (has("statute")) columns.push({ name: "Statute", of: (c) => c.statute || "–" });
  if (has("severity")) columns.push({ name: "Severity", of: (c) => c.severity || "–" });
  if (has("bondAmount") || has("bondText")) columns.push({ name: "Bond", num: true, of: (c) => [money(c.bondAmount) || (c.bondText ? null : "–"), c.bondText && h("p", { class: "small quiet" }, c.bondText)] });
  return card("Charges", table("Charges one by one", columns, b.chargeDetails.map((c) => columns.map((k) => k.of(c)))));
}

function stay(b) {
  const until = b.releaseDate ? new Date(b.releaseDate) : new Date();
  return card("The stay", facts([
    ["Booked", time(b.bookingDate)],
    ["Released", b.releaseDate ? [time(b.releaseDate), b.releaseInferred ? h("p", { class: "small quiet" }, "when the jail’s list no longer showed it") : null] : "not released"],
    [b.releaseDate ? "Held for" : "Held so far", length((until - new Date(b.bookingDate)) / 1000)],
    ["Bond in all", money(b.bondAmount) || "none set"],
    ["County", h("a", { href: "/counties/" + b.county.slug }, b.county.name)],
    ["Record id", h("code", null, b.id)],
  ]));
}

function person(b) {
  if (!b.gdcMatch) return card("Same person elsewhere", h("p", { class: "quiet" }, "No state corrections record is linked to this booking."),
    h("p", null, h("a", { href: "/search?q=" + encodeURIComponent(b.name) }, "Search this name in all records")));
  const o = b.gdcMatch.record;
  const others = o.countyRecords.filter((r) => r.rosterId !== b.id);
  return card("Same person elsewhere",
    h("div", { class: "stack-small" },
      h("div", { class: "linked " + b.gdcMatch.confidence.toLowerCase() },
        h("h3", null, h("a", { href: "/corrections/" + encodeURIComponent(o.gdcId) }, o.name), " ", status(o.status)),
        h("p", { class: "small quiet" }, [o.gdcId, word(o.category), o.institution, born(o), o.sentence].filter(Boolean).join(" · ")),
        grounds(b.gdcMatch.confidence, b.gdcMatch.reasons),
        b.gdcMatch.mugshotMatch ? h("p", { class: "small" }, "Photographs were found to agree.") : null),
      others.length ? h("h3", null, "Other bookings of this corrections record") : null,
      others.map((r) => h("div", { class: "linked " + r.confidence.toLowerCase() },
        h("p", null, h("a", { href: "/roster/" + encodeURIComponent(r.rosterId) }, r.record.name + ", " + r.county.name + " County"), " ", status(r.status)),
        h("p", { class: "small quiet" }, "booked ", time(r.bookingDate)), grounds(r.confidence, r.reasons)))));
}

load(article, async () => (await ask(query, { id })).rosterRecord, (b) => [
  head(b.name, status(b.status), [b.county.name + " County", " · ", born(b)]),
  h("div", { class: "columns" },
    h("div", { class: "stack" }, stay(b), charges(b), person(b), timeline(b.history, b.firstSeen)),
    h("div", { class: "side" },
      freshness(b.source, [["First seen", time(b.firstSeen)], ["Last seen", time(b.lastSeen)], ["Last change", time(b.lastChange)]]),
      card("For programs", list([h("code", null, "GET /v1/roster/" + b.id), h("a", { href: "/docs#getRosterRecord" }, "REST reference")])))),
]);
