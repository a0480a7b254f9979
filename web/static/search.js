// Search over the three families as the reader types: one query, grouped results, keyboard first.
import { h, byId, show, empty, line } from "./dom.js";
import { ask } from "./api.js";
import { count, money, moment, date, born, word } from "./format.js";
import { marked, wordsOf } from "./marks.js";
import { status, readAgo, sourceWords } from "./parts.js";
import { photograph, photographFields } from "./photograph.js";

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
const fields = (family) => "total records { " + record[family] + " } pageInfo { endCursor hasNextPage }";

const families = {
  roster: {
    title: "Jail bookings", type: "RosterFilter",
    row: (r, words) => result("/roster/" + encodeURIComponent(r.id), marked(r.name, words), status(r.status),
      [r.county.name + " County", "booked " + moment(r.bookingDate), born(r), r.charges[0] && [r.charges[0], r.charges.length > 1 ? " +" + (r.charges.length - 1) : null], r.bondAmount === null ? null : money(r.bondAmount) + " bond"], photograph(r, 48, true)),
  },
  courts: {
    title: "Court cases", type: "CourtFilter",
    row: (c, words) => result("/cases/" + encodeURIComponent(c.id), marked(c.defendant, words), status(c.status),
      [c.caseNumber, word(c.courtType) + " court, " + c.county.name + " County", c.offense, (c.filedDateInferred ? "known since " : "filed ") + date(c.filedDate), c.nextHearing && "next hearing " + moment(c.nextHearing)]),
  },
  corrections: {
    title: "State corrections", type: "CorrectionsFilter",
    row: (o, words) => result("/corrections/" + encodeURIComponent(o.gdcId), marked(o.name, words), status(o.status),
      [o.gdcId, word(o.category), o.institution, born(o)]),
  },
};

const stateWords = (s) => [sourceWords[s.state], s.lagSeconds === null || s.lagSeconds >= 60 ? ", " : null, s.lagSeconds === null ? "never read" : s.lagSeconds < 60 ? null : ["as of ", readAgo(s)]];

function result(href, name, chip, meta, image = null) {
  return h("a", { class: image ? "result pictured" : "result", href, "data-result": true }, image, h("b", null, name), chip, h("span", { class: "meta" }, line(meta)));
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
let shown = null; // the answer that is shown: what was asked, and its data

/** What was typed: the whole as a number, when it has a digit, and what of it may be a name. */
function typed() {
  const text = input.value.trim();
  const number = /\d/.test(text) && text.length > 2 ? text : null;
  return { number, name: (number ? text.split(/\s+/).filter((w) => !/\d/.test(w)).join(" ") : text) || null };
}

/** What was typed beside a name that is no number of a record, such as a birth date: names only are compared. */
function unsearched({ number, name }, exact) {
  const words = number && name && !exact.length ? input.value.trim().split(/\s+/).filter((w) => /\d/.test(w)) : [];
  if (!words.length) return null;
  return h("p", { class: "note warn", id: "unsearched" }, "“" + words.join(" ") + "” is not searched: these are all of the name “" + name + "”, of any age. Compare the birth dates.");
}

/** What each family is asked; a family that the facets exclude is not asked, and none when only a number was typed. */
function filters({ number, name }) {
  const s = state.value;
  const at = county.value || null;
  const out = {};
  if (number && !name) return out;
  if (!s || jail.includes(s)) out.roster = { name, county: at, status: s || null };
  if (!s || court.includes(s)) out.courts = { name, county: at, status: s || null };
  if (!at && (!s || prison.includes(s))) out.corrections = { name, status: s || null };
  return out;
}

/** What bears this number, whatever the facets say: a booking's record id, the beginning of a case number, an offender id. */
const numbered = "$id: ID!, $number: String!";
const byNumber = `booking: rosterRecord(id: $id) { ${record.roster} } cases: courts(filter: { caseNumberStart: $number }, limit: 20) { total records { ${record.courts} } }
  offenders: corrections(filter: { gdcId: $number }, limit: 20) { records { ${record.corrections} } }`;

function documentOf(asked, number) {
  const names = Object.keys(asked);
  return "query Search(" + [...names.map((n) => "$" + n + ": " + families[n].type), names.length ? "$limit: Int" : null, number ? numbered : null].filter(Boolean).join(", ") + ") { " +
    (number ? byNumber : "") + names.map((n) => n + "(filter: $" + n + ", limit: $limit, order: RELEVANCE) { " + fields(n) + " }").join(" ") + " }";
}

async function search() {
  clearTimeout(timer);
  if (running) running.abort();
  const mine = (running = new AbortController());
  remember();
  const what = typed();
  const asked = filters(what);
  if (!input.value.trim() && !county.value && !state.value) {
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
      await restore();
    }
  } catch (err) {
    if (err.name !== "AbortError" && mine === running) {
      shown = null;
      show(groups, h("p", { class: "note bad", role: "alert" }, err.message), h("p", null, h("button", { type: "button", click: search }, "Try again")));
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
  said.textContent = [what.number ? count(exact.length + others) + " by number" : null, ...names.map((n) => count(data[n].total) + " in " + families[n].title.toLowerCase())].filter(Boolean).join(", ");
  if (!total) {
    show(groups, what.name ? coverage() : null, h("div", { class: "card" }, empty("Nothing matches", hint(what)), words.length > 1 && asked.roster
      ? h("p", { class: "bar middle" }, h("a", { class: "button", href: "/alerts/new?" + new URLSearchParams({ name: what.name, ...(county.value ? { county: county.value } : {}) }) }, "Tell me when this name appears")) : null));
    return;
  }
  const ignored = unsearched(what, exact);
  if (ignored) said.textContent += ". " + ignored.textContent;
  show(groups, ignored, what.name || !what.number ? coverage() : null, exact.length ? h("section", { class: "card group", "aria-labelledby": "g-number" }, h("div", { class: "card-head" }, h("h2", { id: "g-number" }, "By number")), h("div", { class: "results" }, exact),
    others > 0 ? h("p", { class: "small quiet" }, "and " + count(others) + " more cases whose number begins so: type on") : null) : null,
  names.filter((n) => data[n].total).map((name) => group(name, asked[name], data[name], words)),
  county.value && !state.value && what.name ? h("p", { class: "small quiet" }, "State corrections records are of no county: they are left out.") : null);
}

/** The records that bear a number, as rows. */
const withNumber = (data) => [...(data.booking ? [families.roster.row(data.booking, [])] : []), ...data.cases.records.map((c) => families.courts.row(c, [])), ...data.offenders.records.map((o) => families.corrections.row(o, []))];

/** What an answer does not say: of a county that nobody reads, or whose jail's source is not current. Nothing while that is not known. */
function coverage() {
  if (!sources || (state.value && !jail.includes(state.value))) return null;
  const tells = (s) => s.county ? [s.county] : s.coverage;
  if (county.value) {
    const own = sources.filter((s) => tells(s).some((c) => c.slug === county.value));
    const name = county.selectedOptions[0].dataset.name + " County";
    if (!own.length) return h("p", { class: "note warn" }, "We don’t cover the " + name + " jail. No results here doesn’t mean that no one is held there.");
    return own.filter((s) => s.state !== "OK").map((s) => h("p", { class: "note warn" }, name, ": ", stateWords(s), ". Recent bookings and releases may be missing."));
  }
  const behind = sources.filter((s) => s.state !== "OK");
  return behind.length ? h("p", { class: "note warn" }, "Not current: ", behind.map((s, i) => [i ? "; " : null, tells(s).map((c) => c.name).join(", ") || s.title, " (", stateWords(s), ")"]), ".") : null;
}

async function learn() {
  try {
    sources = (await ask("{ sources { title kind state lagSeconds county { slug name } coverage { slug name } } }")).sources.filter((s) => s.kind === "roster");
  } catch {
    return; // the answers say when the service is away
  }
  if (shown) {
    back = back || before();
    render(...shown);
    await restore();
  }
}

function hint({ number, name }) {
  if (number) return "A record id and an offender id have to be whole; of a case number the beginning is enough, as the court writes it." + (name ? " A birth year is not searched: type the name alone." : "");
  if (county.value || state.value) {
    const which = county.value && state.value ? "this county and status" : county.value ? "this county" : "this status";
    return "Nothing matches with " + which + ". " + (county.value ? "Search all of Georgia, or choose another filter." : "Choose any status to see all.");
  }
  return "Each word has to be part of a word of the name: fewer letters find more. A name that is not here may be written differently, and a county without a source is not covered.";
}

function group(name, filter, page, words) {
  const family = families[name];
  const id = "g-" + name;
  const near = page.records.map((r) => family.row(r, words));
  const later = near.splice(first); // fetched already
  const results = h("div", { class: "results" }, near);
  const box = h("section", { class: "card group", "aria-labelledby": id },
    h("div", { class: "card-head" }, h("h2", { id }, family.title), h("span", { class: "quiet small num" }, count(page.total))), results);
  const button = h("button", { type: "button" }, "Show more");
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
      const data = await ask("query More($filter: " + family.type + ", $limit: Int, $after: String) { " + name + "(filter: $filter, limit: $limit, after: $after, order: RELEVANCE) { " + fields(name) + " } }",
        { filter, limit: more, after: info.endCursor });
      added = data[name].records.map((r) => family.row(r, words));
      results.append(...added);
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
    if (added) added.focus();
  });
  /** Shows n results, or all that there are. */
  opened.set(name, { rows: () => results.children.length, show: async (n) => { while (results.children.length < n && (later.length || info.hasNextPage) && await next()); } });
  if (later.length || info.hasNextPage) box.append(place);
  return box;
}

function welcome() {
  shown = null;
  said.textContent = "";
  groups.classList.remove("loading"); // of a question that was taken back
  groups.removeAttribute("aria-busy");
  const key = (k, what) => h("div", null, h("dt", null, h("kbd", null, k)), h("dd", null, what));
  show(groups, h("div", { class: "card" }, empty("Search jails, courts and state corrections", "Part of a name is enough, in any order: “smith john” finds SMITH, JOHN ALLEN."),
    h("dl", { class: "keys" }, key("/", "go to the search field"), key("↑ ↓", "go through the results"), key("Enter", "open the record"), key("Esc", "back to the field"))));
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
  const open = e.target.closest("[data-result]");
  if (open) history.replaceState({ ...before(), open: open.getAttribute("href") }, "");
});

/** Keeps the question in the address, so that going back finds it. */
function remember() {
  const q = new URLSearchParams();
  for (const [name, value] of [["q", input.value.trim()], ["county", county.value], ["status", state.value]]) if (value) q.set(name, value);
  history.replaceState(null, "", q.size ? "?" + q : location.pathname);
}

function recall() {
  const q = new URLSearchParams(location.search);
  input.value = q.get("q") || "";
  county.value = q.get("county") || "";
  state.value = q.get("status") || "";
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

recall();
search();
learn();
