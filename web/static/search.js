// The search as the reader types. The service says what is found and renders it; this asks for the results and puts them into the page,
// keeps the question in the address, and goes through the results by keyboard.
import { h, byId, show } from "./dom.js";
import { showPhotographs } from "./photograph.js";
import { readPage } from "./reading.js";
import { t } from "./words.js";

const wait = 180; // ms after the last key
const again = 4000; // ms until the next try when the service was not reached
const still = 900; // ms after the results: looking for similar names takes seconds, so it waits until the reader stops typing

const form = byId("search");
const input = byId("q");
const filters = byId("filters");
const groups = byId("groups");
const trouble = byId("trouble");
let running = new AbortController(); // what is asked now
let timer = 0,
  later = 0;

/**
 * The element of that id of a page that the service renders. It never comes when this page is being left.
 * @param {string} address
 * @param {string} id
 */
async function part(address, id) {
  const page = await readPage(address, id, { signal: running.signal });
  if (!page) return new Promise(() => {});
  const own = page.getElementById(id);
  showPhotographs(own);
  return own;
}

/** The question as parameters of an address. Of two controls of a name the later one counts, as for the service. */
function address() {
  const q = new URLSearchParams();
  for (const [name, value] of new FormData(form)) q.set(name, String(value).trim());
  for (const [name, value] of [...q]) if (!value) q.delete(name);
  return q;
}

/** Asks the question of the form, and shows the answer. */
async function search() {
  clearTimeout(timer);
  clearTimeout(later);
  running.abort();
  const mine = (running = new AbortController());
  const q = address();
  for (const field of form.querySelectorAll("input[type=hidden]")) field.value = q.get(field.name) || "";
  document.getElementById("done")?.remove(); // of what was done before
  history.replaceState(null, "", q.size ? "?" + q : location.pathname);
  groups.classList.add("loading");
  groups.setAttribute("aria-busy", "true");
  try {
    const found = await part("/search/results?" + q, "groups");
    if (mine === running) replace(found);
  } catch (err) {
    if (mine === running && err.name !== "AbortError") failed(err);
  }
}

/** Shows other results; the focus stays at what was chosen. */
function replace(found) {
  const at = groups.contains(document.activeElement) ? document.activeElement : null;
  groups.replaceChildren(...found.childNodes);
  Object.assign(groups.dataset, found.dataset);
  if (at) ((at.id && document.getElementById(at.id)) || input).focus();
  shown();
}

/** Says what is shown now. */
function shown() {
  trouble.replaceChildren();
  groups.hidden = false;
  groups.classList.remove("loading");
  groups.removeAttribute("aria-busy");
  byId("said").textContent = groups.dataset.said;
  byId("filters-chosen").textContent = groups.dataset.set;
  byId("filters-clear").hidden = !groups.dataset.set;
  const similar = byId("similar");
  if (similar && similar.dataset.soon !== undefined) later = setTimeout(() => look(similar), still);
}

function failed(err) {
  const held = groups.contains(document.activeElement);
  groups.hidden = true;
  show(trouble, h("p", { class: "note bad", role: "alert" }, err.message), h("p", null, h("button", { type: "button", click: search }, t("Try again"))));
  if (held) trouble.querySelector("button").focus();
  if (err.offline) timer = setTimeout(search, again);
}

/** Looks for similar names. */
async function look(place) {
  show(place, h("p", { class: "small quiet", role: "status" }, t("Looking for similar names…")));
  try {
    show(place, ...(await part(place.dataset.look, "similar")).childNodes);
  } catch (err) {
    if (err.name !== "AbortError") show(place, h("p", { class: "small quiet" }, err.message));
  }
}

/** Adds the next page of a group; returns where it begins. */
async function more(link) {
  const place = link.parentElement,
    results = link.closest("[data-group]").querySelector("[data-rows]");
  try {
    const next = (await part("/search/results" + new URL(link.href).search, "groups")).querySelector("[data-group]");
    const rows = next ? [...next.querySelector("[data-rows]").children] : [];
    const added = rows.map((row) => joined(results, row));
    place.replaceWith(...(next ? next.querySelectorAll(".more") : []));
    return added.find((row, i) => row === rows[i]) || added[0];
  } catch (err) {
    if (err.name !== "AbortError") show(place, link, h("span", { class: "small", role: "alert" }, " " + err.message));
  }
  return null;
}

/** Adds a row. The bookings of a person who has a row already go under that one, which is returned. */
function joined(results, row) {
  const own = row.dataset.person && results.querySelector('[data-person="' + CSS.escape(row.dataset.person) + '"]');
  if (!own) {
    results.append(row);
    return row;
  }
  const under = own.querySelector(".under");
  under.append(...row.querySelector(".under").children);
  const n = under.children.length,
    all = Number(own.dataset.stays);
  own.querySelector(".meta > span").textContent = t("{n stay|stays} found{v}", { n, v: all > n ? " " + t("of {all}", { all }) : "" });
  return own;
}

/** Asks what a link asks, which changes something of the question. */
function follow(link) {
  const q = new URL(link.href).searchParams;
  for (const field of form.elements) if (field.name) field.value = q.get(field.name) || "";
  if ([...filters.querySelectorAll("input, select")].some((field) => field.value)) filters.open = true;
  search();
}

/** What the reader has before him now. */
function before(open) {
  const rows = [...groups.querySelectorAll("[data-group]")].map((g) => [g.dataset.group, g.querySelector("[data-rows]").children.length]);
  return { rows: Object.fromEntries(rows), at: scrollY, open };
}

/** Shows as many results as before, at the same place, with the focus on the record that was opened. */
async function restore(was) {
  for (const [name, n] of Object.entries(was.rows)) {
    const at = '[data-group="' + CSS.escape(name) + '"]';
    let link;
    while ((link = groups.querySelector(at + " [data-more]")) && groups.querySelector(at + " [data-rows]").children.length < n && (await more(link)));
  }
  await new Promise(requestAnimationFrame); // first the browser gives the field the focus that the page asks for
  const link = was.open && groups.querySelector('[data-result][href="' + CSS.escape(was.open) + '"]');
  if (link) link.focus({ preventScroll: true });
  scrollTo({ top: was.at, behavior: "instant" });
}

document.addEventListener("click", async (e) => {
  const link = /** @type {Element} */ (e.target).closest("a");
  if (!link || e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
  if (link.matches("[data-result]")) history.replaceState(before(link.getAttribute("href")), ""); // stays with the entry of the history, nowhere else
  if (!link.matches("#filters-clear, #groups [data-search], #groups [data-more], #similar > p > a")) return;
  e.preventDefault();
  if (link.matches("[data-search]")) follow(link);
  else if (link.matches("[data-more]")) {
    const added = await more(link);
    if (added) (added.querySelector("[data-result]") || added).focus();
  } else if (link.id === "filters-clear") {
    for (const field of filters.querySelectorAll("input, select")) field.value = "";
    search();
    byId("charge").focus();
  } else look(byId("similar"));
});
form.addEventListener("submit", (e) => {
  e.preventDefault();
  search();
});
for (const kind of ["input", "change"])
  document.addEventListener(kind, ({ target: field }) => {
    // the choice of the order lies outside of the form
    const { form: own, tagName } = /** @type {HTMLInputElement} */ (field);
    if (own !== form || (kind === "change") !== (tagName === "SELECT")) return;
    clearTimeout(timer);
    timer = setTimeout(search, tagName === "SELECT" ? 0 : wait);
  });
addEventListener("online", () => groups.hidden && search());
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const active = document.activeElement;
  if (e.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(active?.tagName || "")) {
    e.preventDefault();
    input.focus();
    input.select();
    return;
  }
  const all = /** @type {HTMLElement[]} */ ([...groups.querySelectorAll("[data-result]")]);
  const at = all.findIndex((result) => result === active);
  if (e.key === "Escape" && at >= 0) input.focus();
  if (e.key === "ArrowDown" && (at >= 0 || active === input)) {
    e.preventDefault();
    if (all[at + 1]) all[at + 1].focus();
  }
  if (e.key === "ArrowUp" && at >= 0) {
    e.preventDefault();
    (all[at - 1] || input).focus();
  }
});
byId("save")
  .querySelector("form")
  ?.addEventListener("submit", (e) => {
    e.target.elements.query.value = address();
  });

showPhotographs(groups);
shown();
if (history.state && history.state.rows) restore(history.state);
if (input.value !== input.defaultValue) search(); // typed before this ran
