// What a watcher would find or has found, and why: for the preview of a new alert and the live page. templates/part-hits.html shows the hits of alerts.
import { h, svg } from "./dom.js";
import { gql } from "./api.js";
import { asWritten, calmName } from "./casing.js";
import { money, born } from "./format.js";
import { custody, time, ticks, firstCharge } from "./parts.js";
import { photograph, photographFields } from "./photograph.js";
import { t } from "./words.js";
/** @import { DataOf } from "../gql" */

/** The selection of a hit, for a query. */
export const hitFields = gql(
  `fragment Hit on AlertHit {
    id probability bornCompared reasons
    record { id name dob birthYear county { slug name } bookingDate releaseDate releaseBasis status charges bondAmount ...Photograph }
  }`,
  [photographFields],
);

/** The selection of what a booking was at the moment of an event. */
export const factFields = gql(
  "fragment Facts on AlertEvent { event facts { name county { slug name } bookingDate releaseDate releaseBasis status charges bondAmount bondBefore } }",
);

/** @typedef {DataOf<typeof hitFields>} Hit */
/** @typedef {DataOf<typeof factFields>} Event */

/** The kinds of events as people say them. */
export const kinds = {
  BOOKING: t("booked"),
  RELEASE: t("released"),
  BOND_CHANGE: t("bond changed"),
  RETRACTION: t("release reversed"),
  SEALED: t("record withheld"),
  SOURCE_STALE: t("county not seen"),
  SOURCE_RECOVERED: t("county seen again"),
};
const tones = { BOOKING: "booked", RELEASE: "released", BOND_CHANGE: "accent", SOURCE_STALE: "warn" };

/** What happened, in words. A release that nobody reported is not told as a fact. */
export const happened = (/** @type {Event} */ { event, facts }) =>
  event === "RELEASE" && facts.releaseBasis === "ABSENT" ? t("no longer listed") : kinds[event];
export const kind = (/** @type {Event} */ e) => h("span", { class: "chip " + (tones[e.event] || "") }, happened(e));

/** Releases by how they are known, before their time. */
const releases = { REPORTED: t("released"), UNTIMED: t("released about"), ABSENT: t("no longer listed since") };

const lastNameAlone = (/** @type {string} */ reason) => /^first name not compared, the alert has only/.test(reason); // as package match says it
const percent = (/** @type {number} */ p) => (p > 0.99 ? "over 99%" : Math.round(p * 100) + "%");

/**
 * How well a hit agrees. By name and birth that is a bar with its figure, and by name alone words, since a namesake agrees as
 * well. It is never called how likely this is the person: whoever has that name and was born then has the same figure.
 * @param {Hit} hit
 */
export function agreement({ probability: p, bornCompared, reasons }) {
  if (!bornCompared)
    return h(
      "span",
      { class: "agreement" },
      h(
        "span",
        null,
        t("{v}; birth not compared", {
          v: reasons.some(lastNameAlone)
            ? t("Only the last name agrees")
            : p >= 0.9
              ? t("The name agrees")
              : p >= 0.5
                ? t("The name nearly agrees")
                : t("This may be another way to write the name"),
        }),
      ),
    );
  return h(
    "span",
    { class: "agreement" },
    svg(
      "svg",
      { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { width: 100, height: 8, class: "rest" }),
      svg("rect", { width: Math.round(p * 100), height: 8, class: "part" }),
    ),
    h("span", { class: "num" }, t("name and birth agree, {p}", { p: percent(p) })),
  );
}

/** Why: what speaks for and against, the weightiest first. */
export const why = (/** @type {string[]} */ reasons) => (reasons.length ? ticks(reasons) : null);

const bond = (/** @type {number | null} */ usd) => money(usd) || t("no amount");

/** The same in words, for a line that is read aloud. */
export const bondWords = (/** @type {Event} */ { event, facts }) =>
  event === "BOND_CHANGE" ? " " + t("from {bondBefore} to {bondAmount}", { bondBefore: bond(facts.bondBefore), bondAmount: bond(facts.bondAmount) }) : "";

/**
 * From what to what an event changed the bond; nothing of other events.
 * @param {Event} event
 */
export function bondStep({ event, facts }) {
  if (event !== "BOND_CHANGE") return null;
  return h("span", { class: "step num" }, h("span", { class: "quiet" }, bond(facts.bondBefore)), " → ", h("b", null, bond(facts.bondAmount)));
}

/**
 * The record of a hit in one line.
 * @param {Hit["record"]} r
 */
export function recordLine(r) {
  return [
    h("a", { href: "/counties/" + r.county.slug }, t("{name} County", { name: r.county.name })),
    " · " + t("booked") + " ",
    time(r.bookingDate),
    r.releaseDate ? [" · " + releases[r.releaseBasis] + " ", time(r.releaseDate)] : null,
    " · ",
    born(r),
    r.charges.length ? [" · ", firstCharge(r.charges)] : null,
    r.bondAmount === null ? null : " · " + t("{bondAmount} bond", { bondAmount: money(r.bondAmount) }),
  ];
}

const rim = (/** @type {Hit} */ x) => (x.bornCompared && x.probability >= 0.9 ? "high" : x.probability >= 0.6 ? "medium" : "low");

/**
 * A hit of a preview with its grounds.
 * @param {Hit} x
 */
export function hit(x) {
  return h(
    "div",
    { class: "linked hit " + rim(x), "data-hit": x.id },
    h(
      "div",
      { class: "row" },
      h("h3", null, h("a", { href: "/roster/" + encodeURIComponent(x.record.id) }, asWritten(x.record.name, calmName))),
      h("span", { class: "bar" }, custody(x.record)),
    ),
    h("div", { class: "pictured-line" }, photograph(x.record, 64), h("p", { class: "small quiet" }, recordLine(x.record))),
    agreement(x),
    why(x.reasons),
  );
}
