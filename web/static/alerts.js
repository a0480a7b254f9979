// The list of the account's watchers.
import { h, byId, show, empty } from "./dom.js";
import { ask } from "./api.js";
import { plural, moment, word } from "./format.js";
import { eventWords } from "./hits.js";
import { failure } from "./parts.js";

const page = 50;
const query = `query Alerts($limit: Int, $offset: Int) { alerts(limit: $limit, offset: $offset) {
  total alerts { id name label county { name } events level paused createdAt hitCount lastHit }
} }`;

const box = byId("alerts");

function row(a) {
  return h("a", { class: "result", href: "/alerts/" + encodeURIComponent(a.id) },
    h("b", null, a.name, a.label ? h("span", { class: "quiet label-of" }, " ", a.label) : null),
    h("span", { class: "bar chips" }, a.level === "NORMAL" ? null : h("span", { class: "chip plain" }, word(a.level)), a.paused ? h("span", { class: "chip" }, "paused") : h("span", { class: "chip good" }, "watching")),
    h("span", { class: "meta" }, [a.county ? a.county.name + " County" : "All of Georgia", a.events.length < 3 ? "only " + eventWords(a.events) : null,
      a.hitCount ? plural(a.hitCount, "hit") + ", last " + moment(a.lastHit) : "no hit yet"].filter(Boolean).join(" · ")));
}

async function run() {
  try {
    const { alerts } = await ask(query, { limit: page, offset: 0 });
    if (!alerts.total) {
      show(box, h("div", { class: "card" }, empty("No alerts yet", "An alert notifies you when a person of a name is booked or released, or gets another bond."),
        h("p", { class: "bar middle" }, h("a", { class: "button primary", href: "/alerts/new" }, "Create an alert"))));
      return;
    }
    const results = h("div", { class: "results" }, alerts.alerts.map(row));
    const more = h("p", { class: "more", hidden: alerts.alerts.length >= alerts.total }, h("button", { type: "button", click: () => next(results, more) }, "Show more"));
    show(box, h("section", { class: "card group", "aria-labelledby": "h-watched" },
      h("div", { class: "card-head" }, h("h2", { id: "h-watched" }, "Watched names"), h("span", { class: "quiet small num" }, plural(alerts.total, "alert"))), results, more));
  } catch (err) {
    show(box, failure(err, run));
  }
}

async function next(results, more) {
  const button = more.querySelector("button");
  button.disabled = true;
  try {
    const { alerts } = await ask(query, { limit: page, offset: results.children.length });
    const added = alerts.alerts.map(row);
    results.append(...added);
    if (added[0]) added[0].focus();
    more.hidden = results.children.length >= alerts.total || !added.length;
  } catch (err) {
    more.append(h("span", { class: "small", role: "alert" }, " " + err.message));
  }
  button.disabled = false;
}

run();
