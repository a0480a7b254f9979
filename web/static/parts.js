// Pieces that several pages of the dashboard show.
import { h } from "./dom.js";
import { asWritten } from "./casing.js";
import { moment, word } from "./format.js";
import { before } from "./ages.js";
import { said, t } from "./words.js";

// One meaning a colour: site.css lists them.
const tones = { BOOKED: "booked", INCARCERATED: "booked", RELEASED: "released", PAROLED: "released", PENDING: "accent", WARRANT: "warn" };
const sourceTones = { OK: "good", LATE: "warn", DOWN: "bad", HELD: "held", REFUSED: "bad" };
export const sourceWords = { OK: t("on schedule"), LATE: t("late"), DOWN: t("down"), HELD: t("held for a check"), REFUSED: t("refuses to answer") };

/**
 * Where the person of a booking is. A release that nobody reported is not told as a fact (models.ReleaseBasis).
 * @param {{ status: string, releaseBasis?: string | null }} record
 */
export const custody = ({ status: s, releaseBasis }) =>
  h("span", { class: "chip " + (tones[s] || "") }, releaseBasis === "ABSENT" ? t("no longer listed") : s === "BOOKED" ? t("in custody") : word(s));
export const sourceState = (/** @type {keyof typeof sourceWords} */ s) => h("span", { class: "chip " + sourceTones[s] }, sourceWords[s]);
export const time = (instant) => (instant ? h("time", { datetime: instant }, moment(instant)) : null);

const against = /differ|conflict|absent|missing|no part|not |one side only|at most|many people/;

/** Reasons in one line: a tick before what agrees, a dash before what does not. */
export const ticks = (reasons) =>
  h(
    "ul",
    { class: "ticks", "aria-label": t("Reasons") },
    reasons.map((r) => h("li", { class: against.test(r) ? "but" : null }, said(r))),
  );

/** The facts of a row: columns on wide screens, one line on phones. An empty one keeps its column. */
export const cells = (facts) =>
  h(
    "span",
    { class: "meta" },
    facts.map((f) => h("span", { title: typeof f === "string" && f.length > 20 && f }, f || "")),
  ); // one that is cut is read in its title

/** The first charge of a booking, and how many more there are. */
export const firstCharge = (charges) => (charges.length ? [asWritten(charges[0]), charges.length > 1 ? " +" + (charges.length - 1) : null] : null);

/** How long ago a source was read. */
export const readAgo = (/** @type {{ lagSeconds: number | null }} */ source) => (source.lagSeconds === null ? t("never read") : before(source.lagSeconds));

/**
 * Of the sources of one place those that are read; what was taken over from the system before only where none is.
 * @template {{ enabled: boolean }} Source
 * @param {Source[]} sources
 */
export const inUse = (sources) => (sources.some((s) => s.enabled) ? sources.filter((s) => s.enabled) : sources);

/** What a page shows instead of a record that cannot be shown. */
export function failure(err, again) {
  const gone = err.code === "NOT_FOUND";
  if (gone) document.title = t("No such record · rollcall");
  return h(
    "div",
    { class: "card empty", role: "alert" },
    h(document.querySelector("h1") ? "h2" : "h1", null, gone ? t("Record not found") : t("This cannot be shown right now")),
    h("p", null, gone ? t("It does not exist or is no longer published.") : err.message),
    h(
      "p",
      { class: "bar" },
      gone ? h("a", { class: "button", href: "/search" }, t("Go to search")) : h("button", { type: "button", click: again }, t("Try again")),
    ),
  );
}

/**
 * Loads a record page: asks, shows, and offers to try again.
 * @template Data
 * @param {Element} element
 * @param {() => Promise<Data>} read
 * @param {(data: Data) => any[]} render
 */
export async function load(element, read, render) {
  try {
    const data = await read();
    if (data === null) throw Object.assign(new Error("gone"), { code: "NOT_FOUND" });
    element.replaceChildren(...render(data).flat(Infinity).filter(Boolean));
  } catch (err) {
    element.replaceChildren(failure(err, () => load(element, read, render)));
  }
}
