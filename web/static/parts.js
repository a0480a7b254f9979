// Pieces that several pages of the dashboard show.
import { h, card, facts } from "./dom.js";
import { moment, word } from "./format.js";
import { before } from "./ages.js";

const tones = { BOOKED: "accent", PENDING: "accent", INCARCERATED: "accent", WARRANT: "warn", PAROLED: "cool" };
const sourceTones = { OK: "good", LATE: "warn", DOWN: "bad", HELD: "cool", REFUSED: "bad" };
export const sourceWords = { OK: "on schedule", LATE: "late", DOWN: "down", HELD: "held for a check", REFUSED: "refuses to answer" };
const sureTones = { HIGH: "good", MEDIUM: "warn", LOW: "" };

export const status = (s) => h("span", { class: "chip " + (tones[s] || "") }, word(s));
export const sourceState = (s) => h("span", { class: "chip " + sourceTones[s] }, sourceWords[s]);
export const time = (instant) => (instant ? h("time", { datetime: instant }, moment(instant)) : null);

/** How sure a link is, and why. */
export function grounds(confidence, reasons) {
  return [
    h("p", null, h("span", { class: "chip " + sureTones[confidence] }, word(confidence) + " confidence")),
    reasons.length ? h("ul", { class: "reasons", "aria-label": "Reasons" }, reasons.map((r) => h("li", null, r))) : h("p", { class: "small quiet" }, "No reasons were recorded with this link."),
  ];
}

/** How long ago a source was read. */
export const readAgo = (source) => (source.lagSeconds === null ? "never read" : before(source.lagSeconds));

/** How fresh the source of a record is. */
export function freshness(source, more, ...notes) {
  return card("Data freshness",
    h("p", null, source.title, " ", sourceState(source.state)),
    source.state === "OK" ? null : h("p", { class: "note warn small" }, "What is shown may have changed since. Ask the jail or court before you rely on it."),
    source.note ? h("p", { class: "small" }, source.note) : null,
    facts([["Source last read", readAgo(source)], ...more]), notes);
}

/** Of the sources of one place those that are read; what was taken over from the system before only where none is. */
export const inUse = (sources) => (sources.some((s) => s.enabled) ? sources.filter((s) => s.enabled) : sources);

/** How programs read what a page shows; nobody follows its links on paper. */
export function programs(request, operation) {
  const own = card("API", h("p", null, h("code", null, request)), h("p", { class: "small" }, h("a", { href: "/docs#" + operation }, "REST reference"), " · ", h("a", { href: "/graphql" }, "GraphQL playground")));
  own.classList.add("off-paper");
  return own;
}

/** What a page shows instead of a record that cannot be shown. */
export function failure(err, again) {
  const gone = err.code === "NOT_FOUND";
  if (gone) document.title = "No such record · rollcall";
  return h("div", { class: "card empty", role: "alert" }, h(document.querySelector("h1") ? "h2" : "h1", null, gone ? "Record not found" : "This cannot be shown right now"),
    h("p", null, gone ? "It does not exist or is no longer published." : err.message),
    h("p", { class: "bar" }, gone ? h("a", { class: "button", href: "/search" }, "Go to search") : h("button", { type: "button", click: again }, "Try again")));
}

/** Loads a record page: asks, shows, and offers to try again. */
export async function load(element, read, render) {
  try {
    const data = await read();
    if (data === null) throw Object.assign(new Error("gone"), { code: "NOT_FOUND" });
    element.replaceChildren(...render(data).flat(Infinity).filter(Boolean));
  } catch (err) {
    element.replaceChildren(failure(err, () => load(element, read, render)));
  }
}

/** The head of a record page; the page's title follows it. */
export function head(name, chip, line, ...more) {
  document.title = name + " · rollcall";
  return h("div", { class: "head" }, h("div", null, h("div", { class: "person" }, h("h1", null, name), chip), h("p", null, line)), more);
}

/** Leads from a person to an alert about them. Anywhere in Georgia: who moves on is booked elsewhere. */
export function watch(name, record = {}) {
  const given = new URLSearchParams({ name });
  if (record.dob || record.birthYear) given.set("born", record.dob || record.birthYear);
  return h("a", { class: "button", href: "/alerts/new?" + given }, "Watch this person");
}

/** Leads from a record to all records of the same person. */
export const everything = (id) => h("a", { class: "button", href: "/people/" + encodeURIComponent(id) }, "All records of this person");
