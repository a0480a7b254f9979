// What colleagues do with hits appears by itself, and never moves what a reader is about to press: while the pointer or the keyboard is
// in a list, it stays as it is, with a note beside the hits that somebody answered; it is drawn anew once both have left, or when the
// reader asks.
//
// It follows the counts of the inbox over the stream that the pages of alerts share, and not by asking again and again: a question
// by the clock would keep a session alive that nobody uses.
import { h, byId } from "./dom.js";
import { ask, gql } from "./api.js";
import { word } from "./format.js";
import { followTogether } from "./shared.js";
import { t } from "./words.js";
/** @import { DataOf } from "../gql" */

const inboxQuery = gql("subscription Inbox { inbox { unread } }");
const becameQuery = gql("query Became($id: ID!) { hit(id: $id) { id state assignee handledBy } }");
const settle = 1000; // ms in which changes that come together are read at once
const most = 10; // hits that are asked for one by one

/** Calls changed after the inbox of an account has changed, and when the connection is made, as it may have changed before. */
export function inboxNews(account, changed) {
  let waiting = 0;
  const soon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(changed, settle);
  };
  followTogether("inbox of " + account, {
    query: inboxQuery,
    onState: (state) => state === "live" && soon(),
    onEvent: soon,
    stay: true,
  });
  document.addEventListener("visibilitychange", () => document.hidden || soon());
}

// Where the pointer rests. A box that was just drawn is not yet :hover under a pointer that does not move. A finger rests nowhere, and
// is about to press anywhere.
let rests = null;
let byFinger = matchMedia("(pointer: coarse)").matches;
for (const kind of ["pointermove", "pointerdown"]) {
  addEventListener(
    kind,
    (/** @type {PointerEvent} */ e) => {
      byFinger = e.pointerType === "touch";
      rests = byFinger ? null : e;
    },
    { capture: true, passive: true },
  );
}
document.documentElement.addEventListener("pointerleave", () => {
  rests = null;
});

/** Whether the pointer or the keyboard is in a box, or a finger may press in it. */
export const inUse = (box) =>
  byFinger || box.contains(document.activeElement) || Boolean(rests && box.contains(document.elementFromPoint(rests.clientX, rests.clientY)));

/** Calls free when the pointer or the keyboard has left a box, and the other is not in it either. */
export function onceFree(box, free) {
  const check = () => setTimeout(() => inUse(box) || free()); // once the focus is where it goes
  box.addEventListener("pointerleave", check);
  box.addEventListener("focusout", check);
}

/** What was done with a hit, in words. */
export const doneWith = (/** @type {NonNullable<DataOf<typeof becameQuery>["hit"]>} */ { state, assignee, handledBy }) =>
  (state === "ASSIGNED"
    ? t("Assigned to {assignee}", { assignee })
    : { CONFIRMED: t("Confirmed"), DISMISSED: t("Not them") }[state] || t("Now {state}", { state: word(state) })) +
  (handledBy ? ", " + t("by {handledBy}", { handledBy }) : "");

/** Puts a note over the head of a hit, where it moves nothing. */
export function note(element, text) {
  element.querySelector(".meanwhile")?.remove();
  element.append(h("span", { class: "meanwhile", role: "status" }, text));
}

/**
 * Asks what became of hits. A hit whose record is withheld by now is missing.
 * @param {string[]} ids
 */
export async function askHits(ids) {
  const found = await Promise.all(ids.slice(0, most).map((id) => ask(becameQuery, { id }, { stay: true })));
  return found.map(({ hit }) => hit).filter(Boolean);
}

/** Says in a line that is always there that a list has changed, with a button that shows it, or how many new hits; nothing without a show. */
export function offer(place, show, news = 0) {
  const button = (text) => h("button", { type: "button", class: "link", click: show }, text);
  place.replaceChildren(
    ...(!show ? [] : news ? [button(t("Show {news new hit|new hits}", { news }))] : [t("Something changed here.") + " ", button(t("Show it"))]),
  );
}

/** The line of offer in a page. */
export const offered = () => byId("changed");
