// The page of a court case: hearings that lie ahead first, then what was decided.
import { h, byId, card, facts, outside, empty } from "./dom.js";
import { ask } from "./api.js";
import { date, word, length } from "./format.js";
import { timeline, historyFields } from "./history.js";
import { status, time, head, load, sourceState } from "./parts.js";

const query = `query Case($id: ID!) {
  node(id: $id) { ... on CourtCase {
    id caseNumber defendant offense courtType county { slug name } filedDate status judge nextHearing hearingLink
    hearings { date time judge location zoomLink }
    dispositions { date outcome sentence } ${historyFields}
  } }
  sources { id title kind state lagSeconds county { slug } coverage { slug } }
}`;

const article = byId("record");
const id = article.dataset.id;
const monthOf = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", month: "short" });
const today = new Intl.DateTimeFormat("en-CA", { timeZone: "America/New_York", year: "numeric", month: "2-digit", day: "2-digit" }).format(new Date());

function clock(t) {
  if (!t) return "time not stated";
  const [hour, minute] = t.split(":").map(Number);
  return ((hour + 11) % 12) + 1 + ":" + String(minute).padStart(2, "0") + (hour < 12 ? " am" : " pm");
}

function hearing(x) {
  const [year, , day] = x.date.split("-");
  return h("div", { class: "hearing" + (x.date < today ? " past" : "") },
    h("div", { class: "leaf", "aria-hidden": "true" }, h("i", null, monthOf.format(new Date(x.date + "T00:00:00Z"))), h("b", null, String(Number(day))), h("span", null, year)),
    h("div", null, h("h3", null, h("span", { class: "visually-hidden" }, date(x.date) + ", "), clock(x.time)),
      h("p", { class: "small" }, [x.location, x.judge && "Judge " + x.judge].filter(Boolean).join(" · ") || "Place not stated"),
      x.zoomLink ? h("p", { class: "small" }, outside(x.zoomLink, "Virtual hearing")) : null));
}

function hearings(c) {
  const ahead = c.hearings.filter((x) => x.date >= today);
  const past = c.hearings.filter((x) => x.date < today).reverse();
  return h("section", { class: "card", "aria-labelledby": "h-hearings" },
    h("div", { class: "card-head" }, h("h2", { id: "h-hearings" }, "Hearings"),
      c.hearings.length ? h("a", { href: "/cases/" + encodeURIComponent(c.id) + "/hearings.ics", download: "hearings.ics" }, "Add to calendar") : null),
    c.hearings.length ? null : empty("No hearing on record", "Clerks publish hearings up to a day late."),
    ahead.length ? h("div", { class: "stack-small" }, ahead.map(hearing)) : c.hearings.length ? h("p", { class: "quiet" }, "No hearing lies ahead.") : null,
    past.length ? h("details", { class: "data" }, h("summary", null, past.length + " past"), h("div", { class: "stack-small" }, past.map(hearing))) : null);
}

function dispositions(c) {
  return card("Dispositions", c.dispositions.length
    ? h("ol", { class: "timeline" }, c.dispositions.map((d) => h("li", null, h("b", null, d.outcome), h("p", { class: "small quiet" }, [date(d.date), d.sentence].filter(Boolean).join(" · ")))))
    : h("p", { class: "quiet" }, c.status === "CLOSED" ? "The court says closed, but published no outcome." : "None yet."));
}

function fresh(c, sources) {
  const own = sources.filter((s) => s.kind === "courts" && (s.county ? s.county.slug === c.county.slug : !s.coverage.length || s.coverage.some((k) => k.slug === c.county.slug)));
  return card("How fresh this is", own.length ? h("div", { class: "stack-small" }, own.map((s) =>
    h("p", null, s.title, " ", sourceState(s.state), h("br"), h("span", { class: "small quiet" }, s.lagSeconds === null ? "never read" : "read " + length(s.lagSeconds) + " ago")))) : h("p", { class: "quiet" }, "No source of this court runs here any more."),
    h("p", { class: "hint" }, "Clerk offices can be up to 24 hours behind."));
}

load(article, async () => {
  const data = await ask(query, { id });
  return data.node && data.node.caseNumber ? data : null;
}, ({ node: c, sources }) => [
  head(c.defendant, status(c.status), [c.caseNumber, " · ", c.offense]),
  h("div", { class: "columns" },
    h("div", { class: "stack" }, card("The case", facts([
      ["Court", word(c.courtType) + " court"], ["County", h("a", { href: "/counties/" + c.county.slug }, c.county.name)], ["Filed", date(c.filedDate)], ["Judge", c.judge || "not assigned"],
      ["Next hearing", c.nextHearing ? [time(c.nextHearing), c.hearingLink ? [" · ", outside(c.hearingLink, "virtual")] : null] : "none scheduled"],
      ["Case number", h("code", null, c.caseNumber)]])), hearings(c), dispositions(c), timeline(c.history)),
    h("div", { class: "side" }, fresh(c, sources),
      card("Elsewhere", h("p", null, h("a", { href: "/search?q=" + encodeURIComponent(c.defendant) }, "Search this name in all records"))))),
]);
