// Events as they happen: the newest that are known, and then those that the subscription brings.
import { h, byId, show, empty } from "./dom.js";
import { answerFields, answers } from "./answers.js";
import { ask, gql } from "./api.js";
import { asWritten, calmName } from "./casing.js";
import { inUse, offer, onceFree } from "./colleagues.js";
import { plural, moment } from "./format.js";
import { kind, happened, agreement, why, recordLine, hitFields, factFields, bondStep, bondWords } from "./hits.js";
import { time, failure } from "./parts.js";
import { followTogether } from "./shared.js";
import { t } from "./words.js";
/** @import { DataOf, State } from "../gql" */

const most = 200; // entries that the page holds
const fields = gql("fragment Entry on AlertEvent { id timestamp alert { id name label } ...Facts hit { ...Hit ...Answered } }", [
  factFields,
  hitFields,
  answerFields,
]);
const lastQuery = gql("query Last { alertEvents(limit: 50) { ...Entry } }", [fields]);
const liveQuery = gql("subscription Live($after: ID) { alertEvents(after: $after) { ...Entry } }", [fields]);

/** @typedef {DataOf<typeof fields>} Entry */

const feed = byId("feed");
const connection = byId("connection");
const again = byId("again");
const pause = byId("pause");
const waiting = byId("waiting");
/** @type {Entry[]} */
const held = []; // events that came while paused, or while the reader was about to press something in the list
const known = new Set();
const title = document.title;
let items = null;
let paused = false;
let unseen = 0;
let wire = null;
let counting = 0;

/**
 * The record as it was at the event; what came later is said as later.
 * @param {Entry} e
 * @param {boolean} fresh
 */
function entry(e, fresh) {
  const now = e.hit.record;
  const r = { ...now, ...e.facts };
  const step = bondStep(e);
  const later = now.status === "BOOKED" ? t("in custody again since") : now.releaseBasis === "ABSENT" ? t("no longer listed now") : t("released since");
  const reported = now.status === "RELEASED" && r.releaseBasis === "ABSENT" && now.releaseBasis !== "ABSENT";
  const since = now.status !== r.status ? " · " + later : reported ? " · " + t("release reported since") : null;
  return h(
    "li",
    { class: fresh ? "fresh" : null, "data-event": e.id },
    h(
      "div",
      { class: "row" },
      h("h3", null, kind(e), " ", h("a", { href: "/roster/" + encodeURIComponent(r.id) }, asWritten(r.name, calmName)), step ? [" ", step] : null),
      h("span", { class: "small quiet" }, time(e.timestamp)),
    ),
    h("p", { class: "small quiet" }, recordLine(step ? { ...r, bondAmount: null } : r), since),
    h(
      "div",
      { class: "bar" },
      agreement(e.hit),
      h(
        "span",
        { class: "small" },
        t("alert") + " ",
        h("a", { href: "/alerts/" + encodeURIComponent(e.alert.id) }, e.alert.label ? e.alert.name + " (" + e.alert.label + ")" : e.alert.name),
      ),
      e.hit.reasons.length
        ? h(
            "details",
            { class: "data" },
            h("summary", null, t("Why"), h("span", { class: "visually-hidden" }, " " + t("it matches {name}", { name: r.name }))),
            why(e.hit.reasons),
          )
        : null,
      answers(e.hit, calmName(r.name), (text) => {
        byId("news").textContent = text;
      }),
    ),
  );
}

function list() {
  if (!items) {
    items = h("ol", { class: "list events" });
    show(feed, items);
  }
  return items;
}

/**
 * Puts events at the top, the newest last of them.
 * @param {Entry[]} events
 * @param {boolean} fresh
 */
function add(events, fresh) {
  for (const e of events) {
    if (known.has(e.id)) continue;
    known.add(e.id);
    list().prepend(entry(e, fresh));
  }
  while (items && items.children.length > most) items.lastElementChild.remove();
}

/** @param {Entry} e */
function arrived(e) {
  if (known.has(e.id)) return;
  if (document.hidden) document.title = "(" + ++unseen + ") " + title;
  if (paused || held.length || (items && inUse(items))) {
    held.push(e);
    offer(waiting, showHeld, held.length);
    return;
  }
  add([e], true);
  byId("news").textContent = t("{name}, {name2} County: {v}{event}, {timestamp}", {
    name: e.facts.name,
    name2: e.facts.county.name,
    v: happened(e),
    event: bondWords(e),
    timestamp: moment(e.timestamp),
  });
}

function release() {
  add(held.splice(0), true);
  offer(waiting, null);
}

/** Shows what waits, as the reader asks. */
function showHeld() {
  release();
  feed.querySelector("a").focus();
}

const words = { connecting: ["", t("connecting")], live: ["good", t("live")], lost: ["warn", t("connection lost")] };
const resting = ["", t("paused")];
/** @type {State[0]} */
let standing = "connecting";

/**
 * @param {State[0]} state
 * @param {State[1]} [seconds]
 */
function stands(state, seconds) {
  standing = state;
  const [tone, text] = paused && state === "live" ? resting : words[state];
  connection.className = "chip " + tone;
  connection.textContent = text;
  clearInterval(counting);
  if (seconds) countDown(Date.now() + 1000 * seconds);
  again.hidden = state !== "lost";
  if (state === "live" && !known.size) refresh(); // what came between the question and the connection
}

/** Says how long it is until the next try, second by second, to eyes alone: read aloud it would never end. */
function countDown(until) {
  const left = h("span", { "aria-hidden": "true" });
  const tick = () => {
    left.textContent = t("trying again in {v} s", { v: Math.max(0, Math.ceil((until - Date.now()) / 1000)) });
  };
  connection.append(left);
  tick();
  counting = setInterval(tick, 1000);
}

async function refresh() {
  try {
    const { alertEvents: events } = await ask(lastQuery);
    add(events.reverse(), false);
  } catch {
    // the stream goes on telling
  }
}

async function run() {
  try {
    const { alertEvents: events } = await ask(lastQuery);
    if (events.length) add(events.slice().reverse(), false);
    else show(feed, empty(t("Nothing has happened yet"), t("Whatever your alerts find appears here by itself. Leave this page open.")));
    wire = followTogether("activity of " + feed.dataset.account, {
      query: liveQuery,
      after: events[0]?.id,
      onState: stands,
      onEvent: (data) => {
        arrived(data.alertEvents);
        return data.alertEvents.id;
      },
    });
  } catch (err) {
    connection.textContent = t("not connected");
    show(feed, failure(err, run));
  }
}

again.addEventListener("click", () => wire.retry());
onceFree(feed, () => paused || release());
pause.addEventListener("click", () => {
  paused = !paused;
  pause.setAttribute("aria-pressed", String(paused));
  pause.textContent = paused ? t("Resume") : t("Pause");
  if (standing === "live") stands("live");
  if (!paused) release();
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  unseen = 0;
  document.title = title;
});
run();
