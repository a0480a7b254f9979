// The page of one watcher: what it found and why, and what may be changed of it.
import { h, byId, card, facts, empty } from "./dom.js";
import { ask } from "./api.js";
import { plural, word } from "./format.js";
import { blame, mistake, whyNot } from "./mistakes.js";
import { hit, meaning, hitFields as matchFields, handledFields, toldFields, eventWords, eventBoxes, levelBoxes } from "./hits.js";
import { time, failure } from "./parts.js";
import { uncovered, year } from "./outlook.js";
import { whom, bornText, bornWords, fieldOf } from "./whom.js";
import { edits, editFields } from "./edits.js";
import { doneWith, inboxNews, inUse, note, offer, onceFree } from "./colleagues.js";
import { t } from "./words.js";

const page = 50;
const mostRead = 200; // hits that one question may have
const hitFields = [matchFields, handledFields, toldFields].join(" ");
const alertFields = `id name label note county { slug name } covered events level dob birthYear age ageOn paused version createdAt hitCount lastHit answers { confirmed dismissed unread share } history { ${editFields} }`;
const query = `query Alert($id: ID!) { alert(id: $id) { ${alertFields} hits(limit: ${page}) { ${hitFields} } } }`;
const moreQuery = `query Hits($id: ID!, $after: String) { alert(id: $id) { hits(limit: ${page}, after: $after) { ${hitFields} } } }`;
const changeQuery = `mutation Change($id: ID!, $input: UpdateAlertInput!) { updateAlert(id: $id, input: $input) { ${alertFields} } }`;
const deleteQuery = "mutation Delete($id: ID!) { deleteAlert(id: $id) }";
const answersQuery = "query Answers($id: ID!) { alert(id: $id) { answers { confirmed dismissed unread share } } }";
const newsQuery = `query News($id: ID!, $limit: Int) { alert(id: $id) { hitCount answers { confirmed dismissed unread share } hits(limit: $limit) { ${hitFields} } } }`;
const feedbackQuery = `mutation Say($id: ID!, $verdict: Verdict!, $scope: DismissScope, $ifVersion: String) { giveFeedback(hitId: $id, verdict: $verdict, scope: $scope, ifVersion: $ifVersion) { ${hitFields} } }`;

const box = byId("alert");
const id = box.dataset.id;
const messages = h("div", { class: "messages" });
let alert = null;

function tell(text, tone = "good") {
  messages.replaceChildren(h("p", { class: "note " + tone, id: "told", role: tone === "bad" ? "alert" : "status" }, text));
}

/** Does what a button or form asks, and says how it went, at the form's field that a mistake is about. */
async function act(work, done, form) {
  try {
    const did = await work();
    if (done && did !== false) tell(done);
    else messages.replaceChildren(); // what failed before is done now
  } catch (err) {
    tell(err.code === "NOT_FOUND" ? [t("This alert has been deleted.") + " ", h("a", { href: "/alerts" }, t("Go to alerts"))] : whyNot(err), "bad");
    if (form) blame(form, fieldOf(err), "told")?.focus();
  }
}

/** Notes what the reader says of a hit; the keyboard stays where it was. */
async function say(x, verdict, scope) {
  await act(async () => {
    const { giveFeedback: now } = await ask(feedbackQuery, { id: x.id, verdict, scope, ifVersion: x.version });
    const fresh = shownHit(now);
    alert.hits = alert.hits.map((o) => (o.id === now.id ? now : o));
    rowOf(x.id).replaceWith(fresh);
    fresh.querySelector("button").focus();
    alert.answers = (await ask(answersQuery, { id })).alert.answers;
    byId("answers").textContent = answered(alert.answers);
  });
}

const rowOf = (hitId) => box.querySelector('[data-hit="' + CSS.escape(hitId) + '"]');

function shownHit(x) {
  const row = hit(x, (verdict, scope) => say(x, verdict, scope));
  row.dataset.version = x.version;
  return row;
}

let newer = null; // what colleagues did meanwhile, while the list is in use

/** Reads what colleagues did with the hits that are shown, and which are new; what is written into the form stays. */
async function news() {
  if (!alert || document.hidden || !byId("hits")) return;
  const shown = box.querySelectorAll("[data-hit]").length;
  let now;
  try {
    now = (await ask(newsQuery, { id, limit: Math.min(Math.max(shown, page), mostRead) }, { stay: true })).alert;
  } catch {
    return; // what is shown stays
  }
  if (!now || !byId("hits")) return;
  Object.assign(alert, now);
  byId("answers").textContent = answered(alert.answers);
  newer = now.hits;
  const others = now.hits.filter((x) => rowOf(x.id)?.dataset.version !== x.version);
  if (!others.length) newer = null;
  else if (!inUse(byId("hits"))) showNewer();
  else {
    offer(byId("changed"), () => {
      showNewer();
      byId("hits").querySelector("[data-hit] a")?.focus();
    });
    for (const x of others) if (rowOf(x.id)) note(rowOf(x.id), doneWith(x));
  }
}

/** Shows what colleagues did: hits as they are now, and new ones at the top. */
function showNewer() {
  if (!newer) return;
  const list = byId("hits").querySelector("ul.list");
  if (!list) { // the first match
    newer = null;
    byId("hits").replaceWith(hits(alert.hits));
    return;
  }
  for (const x of newer.toReversed()) {
    const row = rowOf(x.id);
    if (!row) list.prepend(h("li", null, shownHit(x)));
    else if (row.dataset.version !== x.version) row.replaceWith(shownHit(x));
  }
  byId("hit-count").textContent = t("{hitCount hit|hits}", { hitCount: alert.hitCount });
  newer = null;
  offer(byId("changed"), null);
}

function hits(list) {
  const items = h("ul", { class: "list" }, list.map((x) => h("li", null, shownHit(x))));
  let last = list.length ? list[list.length - 1].id : null;
  const more = h("p", { class: "more", hidden: list.length < page }, h("button", { type: "button", click: (e) => act(async () => {
    const { alert: a } = await ask(moreQuery, { id, after: last });
    const added = a.hits.map((x) => h("li", null, shownHit(x)));
    items.append(...added);
    if (added[0]) added[0].querySelector("a").focus();
    last = a.hits.length ? a.hits[a.hits.length - 1].id : last;
    e.target.parentElement.hidden = a.hits.length < page;
  }) }, t("Show more")));
  const card = h("section", { class: "card", id: "hits", "aria-labelledby": "h-hits" },
    h("div", { class: "card-head" }, h("h2", { id: "h-hits" }, t("Matches")), h("span", { class: "quiet small num", id: "hit-count" }, t("{hitCount hit|hits}", { hitCount: alert.hitCount }))),
    h("p", { class: "small changed", id: "changed", role: "status" }),
    list.length ? [meaning(), items, more] : empty(t("No matches yet"), alert.paused ? t("The alert is paused, so it finds nobody.") : t("People already in custody won’t trigger this alert.")));
  onceFree(card, showNewer);
  return card;
}

function confirm(summary, text, button, tone, work) {
  return h("details", { class: "confirm", toggle: (e) => { if (e.target.open) for (const o of box.querySelectorAll("details.confirm[open]")) if (o !== e.target) o.open = false; } },
    h("summary", null, summary),
    h("form", { submit: (e) => { e.preventDefault(); work(); } }, h("p", null, text), h("button", { class: tone }, button)));
}

/** Changes the alert; form is what was sent, where something else may have been saved meanwhile. */
const change = (input, done, form) => act(async () => {
  let now;
  try {
    now = (await ask(changeQuery, { id, input })).updateAlert;
  } catch (err) {
    if (err.code !== "CONFLICT" || !form) throw err;
    await showBoth(form);
    return false;
  }
  alert = { ...now, hits: alert.hits };
  draw();
  return true;
}, done, form);

/** Shows beside what was written what somebody saved meanwhile; saved once more, the one takes the place of the other. */
async function showBoth(form) {
  const now = (await ask(query, { id })).alert;
  if (!now) throw Object.assign(new Error("gone"), { code: "NOT_FOUND" });
  alert.version = now.version;
  const head = h("p", { tabindex: "-1" }, h("b", null, t("It was changed in the meantime; nothing was saved. As it is now:")));
  form.querySelector("[data-both]")?.remove();
  form.prepend(h("div", { class: "note warn stack-small", "data-both": true }, head,
    facts([[t("Name"), now.name], [t("County"), now.county ? now.county.name : t("all of Georgia")], [t("Born"), bornWords(now) || t("not given")], [t("Notifies when"), eventWords(now.events)], [t("Level"), word(now.level)], [t("Label"), now.label || t("none")], [t("Note"), now.note || t("none")]]),
    h("p", { class: "bar" }, h("button", { type: "button", click: () => {
      alert = now;
      messages.replaceChildren();
      draw();
      box.querySelector(".edit summary").focus();
    } }, t("Leave it so"))), h("p", { class: "small" }, t("What you wrote stands below. Saved, it takes the place of the above."))));
  head.focus();
}

const still = 900; // ms after the last key

/** Shows in box the year of what the form says, once it stands still. An age keeps the day of which it was stated. */
function outlook(form, known, box) {
  let timer = 0, running = null;
  return () => {
    clearTimeout(timer);
    if (running) running.abort();
    const mine = (running = new AbortController());
    timer = setTimeout(() => {
      let person;
      try {
        person = whom(form, alert);
      } catch {
        return box.replaceChildren();
      }
      if (form.elements.born.value.trim() === known) Object.assign(person, { dob: alert.dob, birthYear: alert.birthYear, age: alert.age, ageOn: alert.ageOn });
      year(box, { ...person, level: new FormData(form).get("level") }, person.county ? form.elements.county.selectedOptions[0].dataset.name : "", mine.signal);
    }, still);
  };
}

function edit() {
  const known = bornText(alert);
  const counties = h("select", { id: "county", name: "county" }, byId("counties").content.cloneNode(true));
  counties.value = alert.county ? alert.county.slug : "";
  const form = h("form", { class: "fields", submit: (e) => {
    e.preventDefault();
    const data = new FormData(form);
    const events = data.getAll("events");
    blame(form);
    let person;
    try {
      person = whom(form, alert);
      if (!events.length) throw mistake("events", t("Choose at least one kind of event."));
    } catch (err) {
      tell(err.message, "bad");
      blame(form, err.field, "told").focus();
      return;
    }
    if (String(data.get("born")).trim() === known) for (const fact of ["dob", "birthYear", "age"]) delete person[fact]; // an age keeps its day
    const input = { ...person, events, level: data.get("level"), label: String(data.get("label")).trim(), note: String(data.get("note")).trim(), ifVersion: alert.version };
    change(input, t("The alert was changed. It goes for what is detected from now on."), form);
  } },
  h("div", null, h("label", { for: "name" }, t("Full name")), h("input", { id: "name", name: "name", required: true, maxlength: "200", autocomplete: "off", spellcheck: "false", value: alert.name, "aria-describedby": "name-hint" }),
    h("p", { class: "hint", id: "name-hint" }, t("First and last name, in Latin letters. An initial for the first name is enough only with a birth date or year, or at level wide."))),
  h("div", null, h("label", { for: "county" }, t("County")), counties),
  h("div", null, h("label", { for: "born" }, t("Born, if known")), h("input", { id: "born", name: "born", maxlength: "10", autocomplete: "off", placeholder: t("1986-02-03, 1986 or 34"), value: known })),
  eventBoxes(alert.events), levelBoxes(alert.level),
  h("div", null, h("label", { for: "label" }, t("Label")), h("input", { id: "label", name: "label", maxlength: "200", autocomplete: "off", value: alert.label || "" })),
  h("div", null, h("label", { for: "note" }, t("Note")), h("textarea", { id: "note", name: "note", maxlength: "2000", rows: "3" }, alert.note)),
  h("section", { "aria-labelledby": "h-year" }, h("h3", { id: "h-year" }, t("The last 12 months")), h("div", { id: "year", "aria-live": "polite" })),
  h("div", null, h("button", null, t("Save"))));
  const look = outlook(form, known, form.querySelector("#year"));
  form.addEventListener("input", (e) => { if (["name", "born", "level", "county"].includes(e.target.name)) look(); });
  return h("details", { class: "data edit", toggle: (e) => { if (e.target.open) look(); } }, h("summary", null, t("Change it")), form, h("p", { class: "hint" }, t("With another name, county or birth it goes for what is detected from then on. Earlier matches stay, and dismissed people stay dismissed.")));
}

/** How often a hit was the person, of those with an answer. */
const answered = (a) => {
  const open = a.unread ? t("{unread hit|hits} without an answer", { unread: a.unread }) : "";
  if (a.share === null) return open || t("no hit yet");
  return t("{v} % were the person: {confirmed} of {v2} with an answer{v3}", { v: Math.round(a.share * 100), confirmed: a.confirmed, v2: (a.confirmed + a.dismissed), v3: (open && "; " + open) });
};

function about() {
  return card(t("The alert"),
    facts([[t("County"), alert.county ? h("a", { href: "/counties/" + alert.county.slug }, alert.county.name) : t("all of Georgia")], [t("Born"), bornWords(alert) || t("not given")], [t("Level"), word(alert.level)],
      [t("Notifies when"), eventWords(alert.events)], [t("Created"), time(alert.createdAt)], [t("Last hit"), time(alert.lastHit) || t("none")], [t("Hit rate"), h("span", { id: "answers" }, answered(alert.answers))]]),
    alert.note ? h("p", { class: "noted" }, alert.note) : null,
    h("p", { class: "off-paper" }, h("a", { href: "/deliveries?alert=" + encodeURIComponent(alert.id) }, t("Deliveries of this alert"))),
    edit(),
    h("div", { class: "bar" },
      alert.paused ? h("button", { type: "button", class: "primary", click: () => change({ paused: false }, t("The alert works again, for what is detected from now on.")) }, t("Resume"))
        : confirm(t("Pause"), t("It finds nobody until you resume it, and does not catch up on what happens until then."), t("Pause this alert"), "", () => change({ paused: true }, t("The alert is paused."))),
      confirm(t("Delete"), t("It no longer fires, and its open deliveries are cancelled. This cannot be undone."), t("Delete this alert"), "danger",
        () => act(async () => {
          await ask(deleteQuery, { id });
          location.assign("/alerts");
        }))));
}

/** Says that the alert can find nobody, and offers the whole state. */
function blind() {
  if (!alert.county) return h("p", { class: "note warn" }, t("No jail is covered yet, so this alert finds nobody."));
  return h("div", { class: "note warn bar" }, h("span", null, uncovered(alert.county.name)),
    h("button", { type: "button", class: "small-button", click: () => change({ county: null, ifVersion: alert.version }, t("The alert covers all of Georgia from now on.")) }, t("Watch all of Georgia")));
}

function draw() {
  newer = null;
  document.title = alert.name + " · rollcall";
  box.replaceChildren(
    h("div", { class: "head" }, h("div", null,
      h("div", { class: "person" }, h("h1", null, alert.name), alert.paused ? h("span", { class: "chip" }, t("paused")) : alert.covered ? h("span", { class: "chip good" }, t("watching")) : h("span", { class: "chip warn" }, t("not covered"))),
      h("p", null, alert.label || (alert.county ? t("{name} County", { name: alert.county.name }) : t("All of Georgia"))))),
    h("div", { class: "stack" }, messages, alert.covered ? null : blind(), h("div", { class: "columns" }, hits(alert.hits), h("div", { class: "side" }, about(), edits(alert)))));
}

async function run() {
  try {
    alert = (await ask(query, { id })).alert;
    if (!alert) throw Object.assign(new Error("gone"), { code: "NOT_FOUND" });
    draw();
  } catch (err) {
    box.replaceChildren(err.code === "NOT_FOUND"
      ? h("div", { class: "card empty", role: "alert" }, h("h1", null, t("Alert not found")), h("p", null, t("It was deleted, or never existed.")), h("p", { class: "bar" }, h("a", { class: "button", href: "/alerts" }, t("Go to alerts"))))
      : failure(err, run));
  }
}

if (new URLSearchParams(location.search).get("done") === "created") {
  tell(t("Alert created. We’ll notify you of new matches."));
  history.replaceState(null, "", location.pathname);
}
run();
inboxNews(box.dataset.account, news);
