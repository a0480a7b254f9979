// Search over the three families as the reader types: one query, grouped results, keyboard first.
import { h, byId, show, empty, icon } from "./dom.js";
import { ask } from "./api.js";
import { asWritten, calmName } from "./casing.js";
import { count, money, day, date, born, word } from "./format.js";
import { markedName, wordsOf } from "./marks.js";
import { coverage } from "./coverage.js";
import { status, cells, firstCharge } from "./parts.js";
import { photograph, photographFields } from "./photograph.js";
import * as filter from "./filters.js";
import { bookingTable, orderChoice, isOrder } from "./bookingtable.js";
import { similar } from "./similar.js";
import { byPerson, personFields } from "./byperson.js";
import { t } from "./words.js";

const wait = 180; // ms after the last key
const again = 4000; // ms until the next try when the service was not reached
const first = 6; // results of a family that are shown at first
const fetched = 40; // so that the first time that more are shown needs no request
const more = 50;
const jail = ["BOOKED", "RELEASED"];
const court = ["PENDING", "WARRANT", "CLOSED"];
const prison = ["INCARCERATED", "PAROLED", "RELEASED"];

const record = {
  roster: "id name dob birthYear county { name } bookingDate releaseDate status charges bondAmount " + photographFields,
  courts: "id caseNumber defendant offense courtType county { name } filedDate filedDateInferred status nextHearing",
  corrections: "gdcId name dob birthYear category institution status",
};
const fields = (family) => "total records { " + record[family] + (family === "roster" && view === "person" ? personFields : "") + " } pageInfo { endCursor hasNextPage }";

const families = {
  roster: {
    title: t("Jail bookings"), type: "RosterFilter",
    row: (r, words) => result("/roster/" + encodeURIComponent(r.id), markedName(r.name, words), status(r.status),
      [t("{name} County", { name: r.county.name }), t("booked {day}", { day: day(r.bookingDate) }), born(r), firstCharge(r.charges), r.bondAmount === null ? null : t("{bondAmount} bond", { bondAmount: money(r.bondAmount) })], photograph(r, 48, true)),
  },
  courts: {
    title: t("Court cases"), type: "CourtFilter",
    row: (c, words) => result("/cases/" + encodeURIComponent(c.id), markedName(c.defendant, words), status(c.status),
      [t("{name} County", { name: c.county.name }), c.caseNumber, (c.filedDateInferred ? t("known since") : t("filed")) + " " + date(c.filedDate), asWritten(c.offense), c.nextHearing && t("hearing {day}", { day: day(c.nextHearing) })]),
  },
  corrections: {
    title: t("State corrections"), type: "CorrectionsFilter",
    row: (o, words) => result("/corrections/" + encodeURIComponent(o.gdcId), markedName(o.name, words), status(o.status),
      [o.gdcId, word(o.category), born(o), o.institution && asWritten(o.institution, calmName), null]),
  },
};

function result(href, name, chip, meta, image = null) {
  return h("a", { class: image ? "result pictured" : "result", href, "data-result": true }, image, h("b", null, name), chip, cells(meta));
}

const input = byId("q");
const county = byId("county");
const state = byId("status");
const groups = byId("groups");
const said = byId("said");
const opened = new Map(); // family -> its group, as it is shown
let running = null;
let timer = 0;
let sources = null; // of jails, once they are known
let back = comesBack(); // what a reader who comes back had before him
let view = ""; // of bookings: a list, a "table", or a list by "person"
let order = ""; // of bookings; the closest name first
let shown = null; // the answer that is shown: what was asked, and its data

/** What was typed: the whole as a number, when it has a digit, and what of it may be a name. A year beside a name is that of the birth. */
function typed() {
  const text = input.value.trim();
  const words = text.split(/\s+/), years = words.filter((w) => /^(19|20)\d\d$/.test(w));
  if (years.length === 1 && words.length > 1 && words.every((w) => w === years[0] || !/\d/.test(w))) return { number: null, name: words.filter((w) => w !== years[0]).join(" "), born: Number(years[0]) };
  const number = /\d/.test(text) && text.length > 2 ? text : null;
  return { number, name: (number ? text.split(/\s+/).filter((w) => !/\d/.test(w)).join(" ") : text) || null };
}

/** What was typed beside a name that is no number of a record, such as a birth date: names only are compared. */
function unsearched({ number, name }, exact) {
  const words = number && name && !exact.length ? input.value.trim().split(/\s+/).filter((w) => /\d/.test(w)) : [];
  if (!words.length) return null;
  return h("p", { class: "note warn", id: "unsearched" }, t("“{v}” is not searched: these are all of the name “{name}”, of any age. Compare the birth dates.", { v: words.join(" "), name }));
}

/** What each family is asked; a family that the facets exclude is not asked, and none when only a number was typed. */
function filters({ number, name, born }) {
  const s = state.value;
  const at = county.value || null;
  const out = {};
  if (number && !name) return out;
  const narrowed = { ...filter.narrowing(), ...(born ? { birthYearFrom: born, birthYearTo: born } : null) };
  if (!s || jail.includes(s)) out.roster = { name, county: at, status: s || null, ...narrowed };
  if (Object.keys(narrowed).length) return out;
  if (!s || court.includes(s)) out.courts = { name, county: at, status: s || null };
  if (!at && (!s || prison.includes(s))) out.corrections = { name, status: s || null };
  return out;
}

/** What bears this number, whatever the facets say: a booking's record id, a part of a case number, an offender id. */
const numbered = "$id: ID!, $number: String!";
const byNumber = (number) => `booking: rosterRecord(id: $id) { ${record.roster} } cases: courts(filter: { ${number.length < 4 ? "caseNumberStart" : "caseNumberPart"}: $number }, limit: 20) { total records { ${record.courts} } }
  offenders: corrections(filter: { gdcId: $number }, limit: 20) { records { ${record.corrections} } }`;

const orderOf = (name) => (name === "roster" && order) || "RELEVANCE";

function documentOf(asked, number) {
  const names = Object.keys(asked);
  return "query Search(" + [...names.map((n) => "$" + n + ": " + families[n].type), names.length ? "$limit: Int" : null, number ? numbered : null].filter(Boolean).join(", ") + ") { " +
    (number ? byNumber(number) : "") + names.map((n) => `${n}(filter: $${n}, limit: $limit, order: ${orderOf(n)}) { ${fields(n)} }`).join(" ") + " }";
}

async function search() {
  clearTimeout(timer);
  if (running) running.abort();
  const mine = (running = new AbortController());
  remember();
  const what = typed();
  const asked = filters(/** @type {any} */ (what));
  if (!filter.count() && !input.value.trim() && !county.value && !state.value) {
    welcome();
    return;
  }
  groups.classList.add("loading");
  groups.setAttribute("aria-busy", "true");
  try {
    const lookUp = (number) => ask(documentOf(asked, number), { ...asked, limit: fetched, id: number && number.toLowerCase(), number }, { signal: mine.signal });
    let data = await lookUp(what.number);
    if (what.number && !data.cases.total && what.number !== what.number.toUpperCase()) data = { ...data, ...(await lookUp(what.number.toUpperCase())) }; // courts write their letters large
    if (mine === running) {
      render(what, asked, data);
      await charges(what, asked, data, mine.signal);
      await restore();
    }
  } catch (err) {
    if (err.name !== "AbortError" && mine === running) {
      shown = null;
      show(groups, h("p", { class: "note bad", role: "alert" }, err.message), h("p", null, h("button", { type: "button", click: search }, t("Try again"))));
      if (err.code === "OFFLINE") timer = setTimeout(search, again);
    }
  } finally {
    if (mine === running) {
      groups.classList.remove("loading");
      groups.removeAttribute("aria-busy");
    }
  }
}

function render(what, asked, data) {
  shown = [what, asked, data];
  opened.clear();
  const words = wordsOf(what.name || "");
  const names = Object.keys(asked);
  const exact = what.number ? withNumber(data) : [];
  const others = what.number ? data.cases.total - data.cases.records.length : 0; // than those that are shown
  const total = names.reduce((n, name) => n + data[name].total, exact.length);
  said.textContent = [what.number ? t("{v} by number", { v: exact.length + others }) : null, ...names.map((n) => t("{total} in {v}", { total: data[n].total, v: families[n].title.toLowerCase() }))].filter(Boolean).join(", ");
  if (!total) {
    show(groups, what.name ? lacking() : null, h("div", { class: "card" }, empty(t("Nothing matches"), hint(what)), words.length > 1 && asked.roster
      ? h("p", { class: "bar middle" }, watching(what)) : null), words.length > 1 && asked.roster ? similar(what.name, county.value, 0, running.signal) : null);
    return;
  }
  const ignored = unsearched(what, exact) || only(what, asked);
  if (ignored) said.textContent += ". " + ignored.textContent;
  show(groups, ignored, what.name || !what.number ? lacking() : null, exact.length ? h("section", { class: "card group", "aria-labelledby": "g-number" }, h("div", { class: "card-head" }, h("h2", { id: "g-number" }, t("By number"))), h("div", { class: "results rows" }, exact),
    others > 0 ? h("p", { class: "small quiet" }, t("and {others} more cases with this part in their number: type on", { others })) : null) : null,
  names.filter((n) => data[n].total).map((name) => group(name, asked[name], data[name], words)),
  further(what, words, data),
  county.value && !state.value && what.name && asked.courts ? h("p", { class: "small quiet" }, t("State corrections records are of no county: they are left out.")) : null);
}

/** That only bookings were searched, where something narrows what no other record states. */
function only({ born }, asked) {
  if (asked.courts || asked.corrections || !asked.roster || state.value) return null;
  return h("p", { class: "note", id: "only" }, t("{v}Filters and birth years apply to jail bookings: court cases and state corrections are not searched.", { v: (born ? t("Only people born in {born}.", { born: String(born) }) + " " : "") }));
}

/** What leads on from results: an alert on the name, and similar names. */
function further(what, words, data) {
  if (!what.name || !data.roster) return null;
  return [h("p", { class: "bar" }, watching(what)), words.length < 2 ? null : similar(what.name, county.value, data.roster.total, running.signal)];
}

/** Leads to a new alert with what an alert can hold of the search, where it has a name: the service says what that is. */
const watching = ({ name }) => (name ? h("a", { class: "button", href: "/search/alert?" + address() }, icon("bell-plus"), t("Create alert from this search")) : null);

/** Where no name was found: how many bookings have the words in a charge. */
async function charges({ name }, asked, data, signal) {
  if (!name || !asked.roster || asked.roster.charge || Object.keys(asked).some((f) => data[f].total)) return;
  const { roster } = await ask("query Charged($filter: RosterFilter) { roster(filter: $filter, limit: 1) { total } }", { filter: { ...asked.roster, name: null, charge: name } }, { signal });
  if (!roster.total) return;
  const found = t("{total}{v} a charge with “{name}”.", { total: roster.total, v: (roster.total === 1 ? " " + t("booking has") : " " + t("bookings have")), name });
  said.textContent += ". " + found;
  groups.prepend(h("p", { class: "note", id: "charged" }, found + " ", h("button", { type: "button", class: "small-button", click: () => {
    filter.byCharge(name);
    input.value = "";
    search();
    input.focus();
  } }, t("Show them"))));
}

/** The records that bear a number, as rows. */
const withNumber = (data) => [...(data.booking ? [families.roster.row(data.booking, [])] : []), ...data.cases.records.map((c) => families.courts.row(c, [])), ...data.offenders.records.map((o) => families.corrections.row(o, []))];

const lacking = () => (state.value && !jail.includes(state.value) ? null : coverage(sources, county));

async function learn() {
  try {
    sources = (await ask("{ sources { title kind state lagSeconds county { slug name } coverage { slug name } } }")).sources.filter((s) => s.kind === "roster");
  } catch {
    return; // the answers say when the service is away
  }
  if (shown) {
    back = back || before();
    render(...shown);
    await charges(...shown, running.signal);
    await restore();
  }
}

function hint({ number }) {
  if (number) return t("A record id and an offender id have to be whole; of a case number any part is enough, as the court writes it.");
  if (filter.count()) return t("Nothing matches these filters. Clear some of them to see more.");
  if (county.value || state.value) {
    const which = county.value && state.value ? t("this county and status") : county.value ? t("this county") : t("this status");
    return t("Nothing matches with {which}. {v}", { which, v: (county.value ? t("Search all of Georgia, or choose another filter.") : t("Choose any status to see all.")) });
  }
  return t("Each word has to be part of a word of the name: fewer letters find more. A name that is not here may be written differently, and a county without a source is not covered.");
}

function group(name, filter, page, words) {
  const family = families[name];
  const id = "g-" + name;
  const table = name === "roster" && view === "table" ? bookingTable(order, words, sort) : null;
  const row = table ? table.row : (r) => family.row(r, words);
  const rows = name === "roster" && view === "person" ? byPerson(words) : (records) => records.map(row);
  const near = rows(page.records);
  const later = near.splice(table ? fetched : first); // fetched already
  const results = table ? table.body : h("div", { class: view === "person" ? "results" : "results rows" });
  results.append(...near);
  const box = h("section", { class: "card group", "aria-labelledby": id },
    h("div", { class: "card-head" }, h("h2", { id }, family.title), h("span", { class: "quiet small num" }, count(page.total))), name === "roster" ? tools(page.total) : null, table ? table.box : results);
  const button = h("button", { type: "button" }, t("Show more"));
  let info = page.pageInfo;
  const place = h("p", { class: "more" }, button);
  async function next() {
    if (later.length) {
      const added = later.splice(0);
      results.append(...added);
      place.hidden = !info.hasNextPage;
      return added[0];
    }
    let added = [];
    button.disabled = true;
    try {
      const data = await ask("query More($filter: " + family.type + ", $limit: Int, $after: String) { " + name + "(filter: $filter, limit: $limit, after: $after, order: " + orderOf(name) + ") { " + fields(name) + " } }",
        { filter, limit: more, after: info.endCursor });
      added = rows(data[name].records);
      const fresh = added.filter((r) => !r.isConnected); // a person who has a row already has more bookings in it now
      results.append(...fresh);
      if (fresh.length) added = fresh;
      info = data[name].pageInfo;
      place.hidden = !info.hasNextPage;
    } catch (err) {
      place.append(h("span", { class: "small", role: "alert" }, " " + err.message));
    }
    button.disabled = false;
    return added[0];
  }
  button.addEventListener("click", async () => {
    const added = await next();
    if (added) (added.querySelector("[data-result]") || added).focus();
  });
  /** Shows n results, or all that there are. */
  opened.set(name, { rows: () => results.children.length, show: async (n) => { while (results.children.length < n && (later.length || info.hasNextPage) && await next()); } });
  if (later.length || info.hasNextPage) box.append(place);
  return box;
}

/** What a reader may do with the list of bookings. */
function tools(total) {
  const way = (name, text) => h("button", { type: "button", class: "small-button", id: "view-" + name, "aria-pressed": String(view === name), click: async () => {
    view = view === name ? "" : name;
    await search();
    byId("view-" + name)?.focus();
  } }, text);
  return [h("div", { class: "bar tools" }, orderChoice(order, (chosen) => sort(chosen)), way("table", t("Table")), way("person", t("Group by person")),
    total ? h("a", { class: "button small-button", href: "/search/bookings.csv?" + address(), download: "bookings.csv" }, icon("download"), t("Download CSV")) : null),
  view === "person" ? h("p", { class: "small quiet" }, t("Bookings are grouped by links that are sure. Namesakes and weaker links stay apart.")) : null];
}

/** Sorts bookings; the focus stays at what was chosen. */
async function sort(chosen, column) {
  order = chosen;
  await search();
  const at = column ? '[data-sort="' + column + '"]' : ".tools select";
  groups.querySelector(at)?.focus();
}

function welcome() {
  shown = null;
  said.textContent = "";
  groups.classList.remove("loading"); // of a question that was taken back
  groups.removeAttribute("aria-busy");
  const key = (k, what) => h("div", null, h("dt", null, h("kbd", null, k)), h("dd", null, what));
  show(groups, h("div", { class: "card" }, empty(t("Search jails, courts and state corrections"), t("Part of a name is enough, in any order: “smith john” finds SMITH, JOHN ALLEN.")),
    h("dl", { class: "keys" }, key("/", t("go to the search field")), key("↑ ↓", t("go through the results")), key(t("Enter"), t("open the record")), key("Esc", t("back to the field")))));
}

/** What the reader had before him when he left, if this page is come back to: it stays with the entry of the history, nowhere else. */
function comesBack() {
  return history.state && history.state.rows ? history.state : null;
}

/** Shows as many results as before, at the same place, with the focus on the record that was opened. */
async function restore() {
  const was = back;
  if (!was) return;
  for (const [name, n] of Object.entries(was.rows)) if (opened.has(name)) await opened.get(name).show(n);
  await new Promise(requestAnimationFrame); // first the browser gives the field the focus that the page asks for
  const link = was.open && groups.querySelector('[data-result][href="' + CSS.escape(was.open) + '"]');
  if (link) link.focus({ preventScroll: true });
  scrollTo({ top: was.at, behavior: "instant" });
  if (back === was) back = null; // not earlier: what is shown may be drawn anew meanwhile
}

/** What the reader has before him now. */
function before() {
  const open = document.activeElement && document.activeElement.closest("[data-result]");
  return { rows: Object.fromEntries([...opened].map(([name, g]) => [name, g.rows()])), at: scrollY, open: open && open.getAttribute("href") };
}

document.addEventListener("click", (e) => {
  const open = /** @type {Element} */ (e.target).closest("[data-result]");
  if (open) history.replaceState({ ...before(), open: open.getAttribute("href") }, "");
});

/** The question as parameters of an address. */
function address() {
  const q = new URLSearchParams();
  for (const [name, value] of [["q", input.value.trim()], ["county", county.value], ["status", state.value], ["sort", order], ["view", view]]) if (value) q.set(name, value);
  filter.remember(q);
  return q;
}

/** Keeps the question in the address, so that going back finds it. */
function remember() {
  const q = address();
  history.replaceState(null, "", q.size ? "?" + q : location.pathname);
}

function recall() {
  const q = new URLSearchParams(location.search);
  input.value = q.get("q") || "";
  county.value = q.get("county") || "";
  state.value = q.get("status") || "";
  order = isOrder(q.get("sort")) ? q.get("sort") : "";
  view = ["table", "person"].includes(q.get("view")) ? q.get("view") : "";
  filter.recall(q);
}

byId("search").addEventListener("submit", (e) => {
  e.preventDefault();
  search();
});
input.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(search, wait);
});
addEventListener("online", search);
county.addEventListener("change", search);
state.addEventListener("change", search);
filter.listen((typing) => {
  clearTimeout(timer);
  timer = setTimeout(search, typing ? wait : 0);
});
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
  if (e.key === "/" && !typing) {
    e.preventDefault();
    input.focus();
    input.select();
    return;
  }
  const all = [...groups.querySelectorAll("[data-result]")];
  const at = all.indexOf(document.activeElement);
  if (e.key === "Escape" && at >= 0) input.focus();
  if (e.key === "ArrowDown" && (at >= 0 || document.activeElement === input)) {
    e.preventDefault();
    if (all[at + 1]) all[at + 1].focus();
  }
  if (e.key === "ArrowUp" && at >= 0) {
    e.preventDefault();
    (all[at - 1] || input).focus();
  }
});

byId("save").querySelector("form").addEventListener("submit", (e) => {
  e.target.elements.query.value = address();
});
recall();
search();
learn();
