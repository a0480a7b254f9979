// The page of an alert, which the service makes. Answers to its matches are sent without leaving the page, what colleagues do appears by
// itself, and a year of bookings is counted while the alert is changed. Without this script the forms do the same.
import "./settings.js";
import { byId, h } from "./dom.js";
import { askHits, doneWith, inboxNews, inUse, note, offer, offered, onceFree } from "./colleagues.js";
import { outlook } from "./outlook.js";
import { showPhotographs } from "./photograph.js";
import { merge, readPage, sendForm, showsMore, swap } from "./reading.js";

const box = byId("alert");
const edit = byId("edit");
const pages = [location.href]; // those whose matches are shown
const mostPages = 8; // that are read again
let sending = 0; // how often an answer was sent; what was read before that is old
let busy = false; // an answer is on its way
let newer = false; // the matches are other by now than those that are shown

const list = (page) => page.querySelector("#hits ul.list");
const hitOf = (row) => row.querySelector("[data-hit]");
const rowOf = (page, id) => page.querySelector('[data-hit="' + CSS.escape(id) + '"]');

/** Takes over how many matches there are, and how often they were the person. */
function takeSums(page) {
  for (const id of ["answers", "hit-count", "nav-inbox"]) swap(page, id);
}

function complain(...problem) {
  byId("messages").replaceChildren(...problem);
}

/** Sends what the reader says of a match; the keyboard stays at it. */
async function judge(button) {
  if (busy) return;
  busy = true;
  sending++;
  const form = byId("judge"),
    row = button.closest("li"),
    id = hitOf(row).dataset.hit;
  form.elements.after.value = row.dataset.after || form.elements.after.defaultValue;
  try {
    const page = await sendForm(form, button, "alert");
    if (!page) return;
    const problem = page.getElementById("problem"),
      opposite = page.getElementById("opposite"),
      now = rowOf(page, id);
    takeSums(page);
    if (now) rowOf(box, id).replaceWith(document.importNode(now, true));
    showPhotographs(box);
    form.elements.once.value = page.querySelector("#judge [name=once]")?.value || "";
    complain(...[problem, opposite].filter(Boolean).map((e) => document.importNode(e, true)));
    byId("said").textContent = [page.getElementById("done"), opposite]
      .map((e) => e?.textContent.trim())
      .filter(Boolean)
      .join(" ");
    (byId("problem") || rowOf(box, id).querySelector("button")).focus();
  } catch (err) {
    complain(h("p", { class: "note bad", role: "alert" }, err.message));
  }
  busy = false;
}

/**
 * Reads the matches that are shown again. While the reader is among them they stay, with notes at those that somebody handled, unless the
 * reader asks for them.
 */
async function news(asked = false) {
  if (busy || document.hidden) return;
  const before = sending;
  try {
    for (const [i, address] of pages.slice(0, mostPages).entries()) {
      const page = await readPage(address, "alert");
      if (!page || before !== sending) return;
      if (!i) takeSums(page);
      const rows = [...(list(page)?.children || [])];
      const others = rows.map(hitOf).filter((x) => rowOf(box, x.dataset.hit)?.dataset.version !== x.dataset.version);
      if (!others.length) continue;
      if (!asked && inUse(byId("hits"))) await tell(others);
      else show(page, rows);
    }
  } catch {
    // what is shown stays
  }
}

/** Notes at the matches that are shown what became of them, and offers to show it. */
async function tell(others) {
  newer = true;
  offer(offered(), showNewer);
  for (const hit of await askHits(others.map((x) => x.dataset.hit))) if (hit && rowOf(box, hit.id)) note(rowOf(box, hit.id), doneWith(hit));
}

/** Shows matches as they are now, and new ones at the top. */
function show(page, rows) {
  newer = false;
  if (!list(box)) {
    // the first match
    swap(page, "hits");
    ready();
  } else
    merge(
      list(box),
      rows,
      (row) => hitOf(row).dataset.hit,
      (old, row) => hitOf(old).dataset.version !== hitOf(row).dataset.version,
    );
  showPhotographs(box);
  offer(offered(), null);
}

/** Shows what was noted, as the reader asks; the keyboard goes on with the first match. */
async function showNewer() {
  await news(true);
  byId("hits").querySelector("[data-hit] a")?.focus();
}

function ready() {
  onceFree(byId("hits"), () => {
    if (!newer) return;
    newer = false;
    news();
  });
}

/** Counts a year of what the form says while it is unfolded; what was typed before the session ended unfolds it. */
function counts() {
  const fold = edit.closest("details"),
    look = outlook(edit, byId("year"));
  byId("outlook").hidden = false;
  const typed = [...edit.elements].some((e) =>
    ["checkbox", "radio"].includes(e.type) ? e.checked !== e.defaultChecked : e.defaultValue !== undefined && e.value !== e.defaultValue,
  );
  fold.addEventListener("toggle", () => fold.open && look());
  edit.addEventListener("input", (e) => ["name", "born", "level", "county"].includes(e.target.name) && look());
  if (fold.open) look();
  if (typed) fold.open = true;
}

box.addEventListener("submit", (e) => {
  if (e.target.id !== "judge" || !e.submitter) return;
  e.preventDefault();
  judge(e.submitter);
});
showsMore(box, "alert", (address, rows) => {
  if (!rows[0] || !hitOf(rows[0])) return; // edits
  pages.push(address);
  for (const row of rows) {
    showPhotographs(row);
    row.dataset.after = new URL(address).searchParams.get("after");
  }
});
showPhotographs(box);
ready();
counts();
inboxNews(box.dataset.account, () => news());
