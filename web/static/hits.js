// What a watcher found, and why: shared by previews, alerts and the live page.
import { h, svg } from "./dom.js";
import { asWritten, calmName } from "./casing.js";
import { money, born, plural, word } from "./format.js";
import { status, time, ticks, firstCharge } from "./parts.js";
import { photograph, photographFields } from "./photograph.js";
import { t } from "./words.js";

/** The selection of a hit, for a query. */
export const hitFields = "id probability bornCompared reasons verdict scope scopes at record { id name dob birthYear county { slug name } bookingDate releaseDate status charges bondAmount " + photographFields + " }";

/** The selection of what was done with a hit, for a query of hits that are stored. */
export const handledFields = "state assignee handledBy version";

/** The selection of the events of a hit, for a query. */
export const toldFields = "events { id event timestamp facts { bondAmount bondBefore } }";
/** The selection of what a booking was at the moment of an event. */
export const factFields = "facts { name county { slug name } bookingDate releaseDate status charges bondAmount bondBefore }";

/** The kinds of events as people say them. */
export const kinds = { BOOKING: t("booked"), RELEASE: t("released"), BOND_CHANGE: t("bond changed"), RETRACTION: t("release taken back"), SEALED: t("record withheld"), SOURCE_STALE: t("county not seen"), SOURCE_RECOVERED: t("county seen again") };
const tones = { BOOKING: "booked", RELEASE: "released", BOND_CHANGE: "accent", SOURCE_STALE: "warn" };
export const kind = (k) => h("span", { class: "chip " + (tones[k] || "") }, kinds[k]);

/** What the levels mean. */
export const levels = {
  STRICT: t("For an average name, about one wrong alert in a hundred years; misses more misspelled names"),
  NORMAL: t("For an average name, about one wrong alert in five years"),
  WIDE: t("Fewest misses, more false matches; for an average name, about one wrong alert a year"),
};

export const percent = (p) => (p > 0.99 ? "over 99 %" : Math.round(p * 100) + " %");

/**
 * How well a hit agrees. By name and birth that is a bar with its figure, and by name alone words, since a namesake agrees as
 * well. It is never called how likely this is the person: whoever has that name and was born then has the same figure.
 */
export function agreement({ probability: p, bornCompared }) {
  if (!bornCompared) return h("span", { class: "agreement" }, h("span", null, t("{v}; birth not compared", { v: (p >= 0.9 ? t("The name agrees") : p >= 0.5 ? t("The name nearly agrees") : t("The name may be another way to write it")) })));
  return h("span", { class: "agreement" },
    svg("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { width: 100, height: 8, class: "rest" }), svg("rect", { width: Math.round(p * 100), height: 8, class: "part" })),
    h("span", { class: "num" }, t("name and birth agree, {p}", { p: percent(p) })));
}

/** Why: what speaks for and against, the weightiest first. */
export const why = (reasons) => (reasons.length ? ticks(reasons) : null);

const bond = (usd) => money(usd) || t("none set");

/** The same in words, for a line that is read aloud. */
export const bondWords = (event, facts) => (event === "BOND_CHANGE" && facts ? " " + t("from {bondBefore} to {bondAmount}", { bondBefore: bond(facts.bondBefore), bondAmount: bond(facts.bondAmount) }) : "");

/** From what to what an event changed the bond; nothing of other events. */
export function bondStep(event, facts) {
  if (event !== "BOND_CHANGE" || !facts) return null;
  return h("span", { class: "step num" }, h("span", { class: "quiet" }, bond(facts.bondBefore)), " → ", h("b", null, bond(facts.bondAmount)));
}

const toldShown = 5; // of one hit, the newest

/** The events of a hit, oldest first. */
function told(events) {
  if (!events || !events.length) return null;
  const earlier = events.length - toldShown;
  return h("ul", { class: "happened small", "aria-label": t("Events") }, earlier > 0 ? h("li", { class: "quiet" }, t("{earlier earlier event|earlier events}", { earlier })) : null,
    events.slice(-toldShown).map((e) => h("li", null, h("span", { class: "quiet" }, time(e.timestamp)), " ", kinds[e.event], e.event === "BOND_CHANGE" ? [": ", bondStep(e.event, e.facts)] : null)));
}

/** The record of a hit in one line. */
export function recordLine(r) {
  return [h("a", { href: "/counties/" + r.county.slug }, t("{name} County", { name: r.county.name })), " · " + t("booked") + " ", time(r.bookingDate), r.releaseDate ? [" · " + t("released") + " ", time(r.releaseDate)] : null,
    " · ", born(r), r.charges.length ? [" · ", firstCharge(r.charges)] : null, r.bondAmount === null ? null : " · " + t("{bondAmount} bond", { bondAmount: money(r.bondAmount) })];
}

const said = { CONFIRM: ["good", t("confirmed")], DISMISS: ["", t("someone else")] };
const rim = (x) => (x.bornCompared && x.probability >= 0.9 ? "high" : x.probability >= 0.6 ? "medium" : "low");

/** What the figure of a hit means, for the head of a list of them. */
export const meaning = () => h("details", { class: "small quiet" }, h("summary", null, t("What the figure means")),
  h("p", null, t("Of pairs that agree as far as these two do, so many are one person’s. 15 % is right about every sixth time: the alert’s level asks to hear of such pairs rather than miss one. It speaks of the names, and of the birth where both sides state one. A namesake who was born then has the same figure; where no birth was compared, every namesake has it. The reasons below it say what was compared.")));

/** A hit with its grounds. say(verdict, scope) notes an answer; without it none is asked for. */
export function hit(x, say) {
  const verdict = x.verdict && said[x.verdict] ? h("span", { class: "chip " + said[x.verdict][0] }, said[x.verdict][1]) : null;
  return h("div", { class: "linked hit " + rim(x) + (x.verdict === "DISMISS" ? " dismissed" : ""), "data-hit": x.id },
    h("div", { class: "row" }, h("h3", null, h("a", { href: "/roster/" + encodeURIComponent(x.record.id) }, asWritten(x.record.name, calmName))), h("span", { class: "bar" }, verdict, status(x.record.status))),
    h("div", { class: "pictured-line" }, photograph(x.record, 64), h("p", { class: "small quiet" }, recordLine(x.record))), told(x.events),
    x.verdict === "DISMISS" ? null : agreement(x), why(x.reasons),
    x.handledBy ? h("p", { class: "small quiet" }, x.assignee ? t("Assigned to {assignee}.", { assignee: x.assignee }) + " " : null, t("Last changed by {handledBy}.", { handledBy: x.handledBy })) : null,
    say ? answers(x, say) : null);
}

/** What a dismissal covers: without a birth nothing but a link tells that another booking is of the same person. */
const personal = (record) => (record.dob || record.birthYear ? t("No more alerts for this person") : t("No more alerts for this booking"));
const dismissed = {
  PERSON: t("Others who are written so still fire."),
  SPELLING: t("No more alerts for anybody who is written so. Other spellings still fire."),
};

/** Asks whether it is the person meant. */
function answers(x, say) {
  const button = (verdict, text, tone, scope) => h("button", { type: "button", class: "small-button " + (tone || ""), "data-verdict": verdict, "data-scope": scope, click: () => say(verdict, scope) }, text,
    h("span", { class: "visually-hidden" }, " (" + x.record.name + ")"));
  if (x.verdict === "CONFIRM") return h("div", { class: "bar" }, h("span", { class: "small quiet" }, t("Confirmed: this is the person.")), button("UNSURE", t("Undo")));
  if (x.verdict === "DISMISS") return h("div", { class: "bar" }, h("span", { class: "small quiet" }, (x.scope === "PERSON" ? personal(x.record) + ". " : "") + dismissed[x.scope]), button("UNSURE", t("Undo")));
  return [h("div", { class: "bar" }, button("CONFIRM", t("This is the person"))),
    h("div", { class: "bar" }, h("span", { class: "small quiet" }, t("Someone else:")), button("DISMISS", personal(x.record), "", "PERSON"),
      x.record.dob || x.record.birthYear ? null : h("span", { class: "small quiet" }, t("The jail states no birth: another booking may be somebody else’s.")), x.scopes.includes("SPELLING") ? button("DISMISS", t("No more alerts for this spelling"), "", "SPELLING") : null)];
}

/** The kinds of an alert in words. */
export const eventWords = (events) => events.map((e) => kinds[e]).join(", ");

/** Boxes for the kinds of events. */
export function eventBoxes(chosen) {
  return h("fieldset", { class: "choices" }, h("legend", null, t("Notify me when the person is")),
    [["BOOKING", t("booked")], ["RELEASE", t("released")], ["BOND_CHANGE", t("given a new bond")]].map(([value, text]) =>
      h("label", { class: "check" }, h("input", { type: "checkbox", name: "events", value, checked: chosen.includes(value) }), h("span", null, text))));
}

/** The level as a choice. */
export function levelBoxes(chosen) {
  return h("fieldset", { class: "choices" }, h("legend", null, t("Match strictness")),
    Object.entries(levels).map(([value, text]) =>
      h("label", { class: "check" }, h("input", { type: "radio", name: "level", value, checked: value === chosen }), h("span", null, h("b", null, word(value)), h("span", { class: "small quiet" }, " ", text)))));
}
