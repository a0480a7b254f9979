// Pieces that several pages of the dashboard show.
import { h, icon } from "./dom.js";
import { asWritten, calm, calmName } from "./casing.js";
import { moment, word } from "./format.js";
import { before } from "./ages.js";
import { t } from "./words.js";

// One meaning a colour: site.css lists them.
const tones = { BOOKED: "booked", INCARCERATED: "booked", RELEASED: "released", PAROLED: "released", PENDING: "accent", WARRANT: "warn" };
const sourceTones = { OK: "good", LATE: "warn", DOWN: "bad", HELD: "held", REFUSED: "bad" };
export const sourceWords = { OK: t("on schedule"), LATE: t("late"), DOWN: t("down"), HELD: t("held for a check"), REFUSED: t("refuses to answer") };
const sureTones = { HIGH: "good", MEDIUM: "warn", LOW: "" };

export const status = (s) => h("span", { class: "chip " + (tones[s] || "") }, word(s));
export const sourceState = (s) => h("span", { class: "chip " + sourceTones[s] }, sourceWords[s]);
export const time = (instant) => (instant ? h("time", { datetime: instant }, moment(instant)) : null);

/** How grave a charge is, in the source's word. */
export const severity = (text) => (text ? h("span", { class: "chip plain " + (/^f/i.test(text) ? "grave" : "") }, t(calm(text).toLowerCase())) : null);

const against = /differ|conflict|absent|missing|no part|not /;

/** Reasons in one line: a tick before what agrees, a dash before what does not. */
export const ticks = (reasons) => h("ul", { class: "ticks", "aria-label": t("Reasons") }, reasons.map((r) => h("li", { class: against.test(r) ? "but" : null }, t(r))));

/** The facts of a row: columns on wide screens, one line on phones. An empty one keeps its column. */
export const cells = (facts) => h("span", { class: "meta" }, facts.map((f) => h("span", { title: typeof f === "string" && f.length > 20 && f }, f || ""))); // one that is cut is read in its title

/** The first charge of a booking, and how many more there are. */
export const firstCharge = (charges) => charges.length ? [asWritten(charges[0]), charges.length > 1 ? " +" + (charges.length - 1) : null] : null;

/** How sure a link is, and why. */
export function grounds(confidence, reasons) {
  return h("div", { class: "grounds" }, h("span", { class: "chip " + sureTones[confidence] }, t("{confidence} confidence", { confidence: word(confidence) })),
    reasons.length ? ticks(reasons) : h("span", { class: "small quiet" }, t("No reasons were recorded with this link.")));
}

/** How long ago a source was read. */
export const readAgo = (source) => (source.lagSeconds === null ? t("never read") : before(source.lagSeconds));

/** How fresh a record is, in one line; a warning below it where its source is not current. */
export function freshness({ source, lastChange }, ...notes) {
  return h("div", { class: "freshness" },
    h("p", { class: "small quiet" }, sourceState(source.state), " ", source.title, h("span", null, t("last read") + " ", readAgo(source)), h("span", null, t("last change") + " ", time(lastChange))),
    source.state === "OK" ? null : h("p", { class: "note warn small" }, t("What is shown may have changed since. Ask the jail or court before you rely on it.")),
    source.note ? h("p", { class: "small" }, source.note) : null, notes);
}

/** Of the sources of one place those that are read; what was taken over from the system before only where none is. */
export const inUse = (sources) => (sources.some((s) => s.enabled) ? sources.filter((s) => s.enabled) : sources);

/** How programs read what a page shows, behind a button; nobody follows its links on paper. */
export function programs(request, operation) {
  const close = (e) => {
    if (e.key !== "Escape" || !own.open) return;
    own.open = false;
    own.querySelector("summary").focus();
  };
  const own = h("details", { class: "drop off-paper", keydown: close }, h("summary", { class: "button", title: "API" }, icon("code-xml"), h("span", { class: "visually-hidden" }, "API")),
    h("div", { class: "panel" }, h("h2", null, "API"), h("p", null, h("code", null, request)), h("p", { class: "small" }, h("a", { href: "/docs#" + operation }, t("REST reference")), " · ", h("a", { href: "/graphql" }, t("GraphQL playground")))));
  return own;
}

/** What a page shows instead of a record that cannot be shown. */
export function failure(err, again) {
  const gone = err.code === "NOT_FOUND";
  if (gone) document.title = t("No such record · rollcall");
  return h("div", { class: "card empty", role: "alert" }, h(document.querySelector("h1") ? "h2" : "h1", null, gone ? t("Record not found") : t("This cannot be shown right now")),
    h("p", null, gone ? t("It does not exist or is no longer published.") : err.message),
    h("p", { class: "bar" }, gone ? h("a", { class: "button", href: "/search" }, t("Go to search")) : h("button", { type: "button", click: again }, t("Try again"))));
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

/** The head of a record page: a name, its state, a line about it, its weightiest facts, and what can be done. The page's title follows it. */
export function head({ name, chip, line, facts, actions }) {
  document.title = calmName(name) + " · rollcall";
  return h("div", { class: "head record" },
    h("div", null, h("div", { class: "person" }, h("h1", null, asWritten(name, calmName)), chip), h("p", null, line),
      h("dl", { class: "keyfacts" }, facts.map(([term, value]) => h("div", null, h("dt", null, term), h("dd", null, value))))),
    h("div", { class: "bar off-paper" }, actions, h("button", { type: "button", class: "print", title: t("Print"), click: () => print() }, icon("printer"), h("span", { class: "visually-hidden" }, t("Print")))));
}

/** Leads from a person to an alert about them. Anywhere in Georgia: who moves on is booked elsewhere. */
export function watch(name, record = {}) {
  const given = new URLSearchParams({ name: calmName(name) });
  if (record.dob || record.birthYear) given.set("born", record.dob || record.birthYear);
  return h("a", { class: "button", href: "/alerts/new?" + given }, icon("bell-plus"), t("Watch this person"));
}

/** Leads from a record to all records of the same person. */
export const everything = (id) => h("a", { class: "button", href: "/people/" + encodeURIComponent(id) }, icon("users"), t("All records of this person"));
