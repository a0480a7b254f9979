// The inbox: its form is sent without leaving the page, keys press its buttons, and what alerts find appears by itself. Without
// this script the form does the same.
import "./settings.js";
import { byId, h } from "./dom.js";
import { askHits, doneWith, inboxNews, inUse, note, offer, offered, onceFree } from "./colleagues.js";
import { readPage, sendForm, swap } from "./reading.js";
import { t } from "./words.js";

const off = "rollcall-inbox-keys"; // kept in this browser
const opened = "rollcall-inbox-opened"; // the hit whose booking was opened, in this tab
const dialog = byId("keys");
const form = () => byId("inbox");
const rows = () => [...form().querySelectorAll("[data-hit]")];
const rowOf = (element) => element?.closest?.("[data-hit]") || null;
const linkOf = (row) => row.querySelector("h4 a");
const idOf = (row) => row.dataset.hit;
const settled = 1000; // ms in which a press of "Mark all" was meant for the hits that stood there before
let sending = 0; // how often the form was sent; what was read before that is old
let busy = false; // the form is on its way
let reading = false;
let again = false; // something changed while the page was read
let newer = false; // the list is another by now than the one that is shown
let allAt = -settled; // when all hits were marked

/** Takes over what the service made of the page. */
function take(page) {
  for (const id of ["inbox", "nav-inbox"]) swap(page, id);
  newer = false;
  ready();
}

/** Shows the button that needs this script. */
function ready() {
  const open = byId("keys-open");
  if (open) open.hidden = false;
  onceFree(form(), () => newer && !selects() && refresh());
}

/**
 * Takes new hits that stand above one that is shown out of a page, except those that the reader brings back: they would move what is
 * about to be pressed. Returns how many.
 */
function holdBack(page, wanted) {
  const seen = new Set(rows().map(idOf));
  const all = [...page.querySelectorAll("#inbox [data-hit]")];
  const last = all.findLastIndex((row) => seen.has(idOf(row)));
  const held = all.slice(0, Math.max(last, 0)).filter((row) => !seen.has(idOf(row)) && !wanted.includes(idOf(row)));
  for (const row of held) {
    page.querySelector('#inbox [name=shown][value^="' + CSS.escape(idOf(row)) + ' "]')?.remove();
    const list = row.parentElement;
    row.remove();
    if (list.children.length) continue;
    list.previousElementSibling.remove(); // its day
    list.remove();
  }
  const mark = page.querySelector("#inbox [value='read shown']");
  if (held.length && mark) mark.textContent = t("Mark {v hit|hits} here as read", { v: all.length - held.length });
  return held.length;
}

/** What a page shows of hits: two pages with the same need not be drawn anew. */
const shownBy = (page) =>
  [...page.querySelectorAll("#inbox .shelves .num, #inbox h4")].map((e) => e.textContent).join() +
  [...page.querySelectorAll("#inbox [name=shown]")].map((e) => e.value).join();

/** The hits that were handled together last, by the tokens that the button Undo sends. */
const wereHandled = () => [...form().querySelectorAll("[name=were]")].map((e) => e.value.split(" ")[0]);

/** Whether hits are selected: a newer list would forget which. */
const selects = () => Boolean(form().querySelector(".select-hit :checked"));

/** Says something to those who do not see the page. */
function say(text) {
  byId("said").textContent = text;
}

/** Says it at the foot of the window too. */
function sayTo(text) {
  byId("done")?.remove();
  byId("foot").prepend(h("p", { class: "note", id: "done" }, h("span", null, text)));
  say(text);
}

/** Sends the form as a button has it; the keyboard goes on with the hit that was brought back, or took the place of the one handled. */
async function send(button) {
  const [deed, id] = button.value.split(" ");
  const all = deed === "read" && id === "shown";
  if (busy || (all && performance.now() - allAt < settled)) return;
  busy = true;
  sending++;
  const at = rows().indexOf(rowOf(button));
  const wanted = id === "were" ? wereHandled() : [id];
  try {
    const answer = sendForm(form(), button, "inbox");
    if (all) sayTo(t("Marking as read…"));
    else if (button.dataset.key === "z") sayTo(t("Undoing…"));
    const page = await answer;
    if (!page) return;
    const held = id ? holdBack(page, wanted) : 0;
    take(page);
    if (all) allAt = performance.now();
    newer = held > 0;
    if (held) offer(offered(), showNewer, held);
    const back = at < 0 && rows().find((row) => wanted.includes(idOf(row)));
    const next = back || rows()[Math.min(Math.max(at, 0), rows().length - 1)];
    const problem = byId("problem");
    if (problem) problem.focus();
    else if (next) linkOf(next).focus();
    else byId("main").focus();
    say(
      [byId("done")?.querySelector("span"), byId("opposite")]
        .map((e) => e?.textContent.trim())
        .filter(Boolean)
        .join(" "),
    );
  } catch (err) {
    sayTo(t("Not done. {v}", { v: err.message }));
  }
  busy = false;
}

/** Reads the page again. While the reader is in the list, it stays, with notes at the hits that somebody handled. */
async function refresh() {
  again = reading;
  if (busy || reading || dialog.open || document.hidden) return;
  reading = true;
  const before = sending;
  try {
    const page = await readPage(location.href, "inbox");
    if (page && before === sending && shownBy(page) !== shownBy(document)) {
      if (inUse(form()) || selects()) await tell(page);
      else take(page);
    }
  } catch {
    // what is shown stays
  }
  reading = false;
  if (again) refresh();
}

/** Notes at the hits that are shown what became of them, and offers the page that has them so. */
async function tell(page) {
  newer = true;
  const versions = (from) => new Map([...from.querySelectorAll("#inbox [name=shown]")].map((e) => e.value.split(" ")));
  const now = versions(page),
    shown = versions(document);
  offer(offered(), showNewer, [...now.keys()].filter((id) => !shown.has(id)).length);
  const other = [...shown].filter(([id, version]) => now.get(id) !== version).map(([id]) => id);
  for (const hit of await askHits(other)) {
    const row = hit && form().querySelector('[data-hit="' + CSS.escape(hit.id) + '"]');
    const pushedOff = hit?.state === "UNREAD" && form().elements.show.value === "unread"; // by newer hits, to the next page
    if (row && !pushedOff) note(row, doneWith(hit));
  }
}

/** Shows the newer page, as the reader asks; the keyboard goes on with the first hit. */
async function showNewer() {
  const page = await readPage(location.href, "inbox");
  if (!page) return;
  take(page);
  (rows()[0] ? linkOf(rows()[0]) : byId("main")).focus();
}

function step(by) {
  const all = rows();
  if (!all.length) return;
  const at = all.indexOf(rowOf(document.activeElement));
  linkOf(all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)]).focus();
}

/** Presses the button of a key, of the hit that has the keyboard. */
function press(key) {
  const within = key === "z" ? form() : rowOf(document.activeElement);
  const button = within?.querySelector("[data-key=" + key + "]");
  if (button) button.click();
  else if (key === "z" && !busy) sayTo(t("There is nothing to undo."));
}

const on = () => localStorage.getItem(off) !== "off";

document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || dialog.open || /** @type {Element} */ (e.target).closest("input, select, textarea")) return;
  if (e.key !== "?" && !on()) return;
  if (e.key === "j") step(1);
  else if (e.key === "k") step(-1);
  else if (e.key === "?") dialog.showModal();
  else if (["c", "d", "a", "u", "z"].includes(e.key)) press(e.key);
  else return;
  e.preventDefault();
});

byId("main").addEventListener("submit", (e) => {
  if (e.target.id !== "inbox" || !e.submitter) return;
  e.preventDefault();
  send(e.submitter);
});
byId("main").addEventListener("click", (e) => {
  if (e.target.closest("#keys-open")) dialog.showModal();
  if (e.target.closest("h4 a")) sessionStorage.setItem(opened, idOf(rowOf(e.target)));
});
byId("keys-on").checked = on();
byId("keys-on").addEventListener("change", (e) => (e.target.checked ? localStorage.removeItem(off) : localStorage.setItem(off, "off")));
/** Goes on with the hit that was opened, for a reader who comes back from its booking. */
function comeBack() {
  const record = document.referrer && new URL(document.referrer).pathname.startsWith("/roster/");
  const [way] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  const row = (record || way?.type === "back_forward") && rows().find((r) => idOf(r) === sessionStorage.getItem(opened));
  if (row) linkOf(row).focus();
}

ready();
comeBack();

inboxNews(form().dataset.account, refresh);
