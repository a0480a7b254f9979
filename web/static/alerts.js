// The list of the account's watchers.
import { h, byId, show, empty } from "./dom.js";
import { ask } from "./api.js";
import { plural, moment, word } from "./format.js";
import { eventWords } from "./hits.js";
import { failure } from "./parts.js";

const page = 50;
const query = `query Alerts($limit: Int, $offset: Int, $label: String) { alerts(limit: $limit, offset: $offset, label: $label) {
  total alerts { id name label county { name } events level paused createdAt hitCount lastHit }
} }`;

const labelsQuery = "{ alertLabels { label alerts paused } }";
const changeQuery = "mutation Change($label: String, $input: ChangeAlertsInput!) { changeAlerts(label: $label, input: $input) }";
const deleteQuery = "mutation Delete($label: String) { deleteAlerts(label: $label) }";
const label = new URLSearchParams(location.search).get("label") || null; // of those shown; null: all

const box = byId("alerts");
const told = h("p", { class: "note good", role: "status", hidden: true });

const ofLabel = (name) => "/alerts" + (name ? "?label=" + encodeURIComponent(name) : "");

/** The account's labels with how many alerts bear them, to choose one. */
function labelled(all) {
  if (!all.length) return null;
  const link = (name, text) => h("a", { href: ofLabel(name), "aria-current": name === label ? "true" : null }, text);
  return h("nav", { class: "bar", "aria-label": "Labels" }, link(null, "All"), all.slice(0, 50).map((l) => link(l.label, l.label + " (" + l.alerts + ")")));
}

/** What may be done with all alerts of the label that is shown. */
function together(l) {
  if (!l) return null;
  const act = (query, input, done) => async () => {
    try {
      const data = await ask(query, { label, input });
      const n = Object.values(data)[0];
      if (query === deleteQuery) return location.assign("/alerts");
      await run();
      told.textContent = plural(n, "alert") + " " + done;
      told.className = "note good";
    } catch (err) {
      told.textContent = err.message;
      told.className = "note bad";
    }
    told.hidden = false;
  };
  const button = (text, query, input, done) => h("button", { type: "button", class: "small-button", click: act(query, input, done) }, text);
  const level = (name) => button("Level " + word(name), changeQuery, { level: name }, "changed to " + word(name) + ".");
  const named = h("input", { name: "label", maxlength: "200", autocomplete: "off", value: label, "aria-label": "Other label" });
  return h("details", { class: "data" }, h("summary", null, "Change all " + l.alerts),
    h("div", { class: "stack-small" },
      h("div", { class: "bar" }, l.paused < l.alerts ? button("Pause all", changeQuery, { paused: true }, "paused.") : null, l.paused ? button("Resume all", changeQuery, { paused: false }, "watching again.") : null, ["STRICT", "NORMAL", "WIDE"].map(level)),
      h("form", { class: "bar", submit: async (e) => {
        e.preventDefault();
        try {
          await ask(changeQuery, { label, input: { label: named.value.trim() } });
          location.assign(ofLabel(named.value.trim()));
        } catch (err) {
          Object.assign(told, { textContent: err.message, className: "note bad", hidden: false });
        }
      } }, named, h("button", { class: "small-button" }, "Relabel all")),
      h("details", { class: "confirm" }, h("summary", null, "Delete all"),
        h("form", { submit: (e) => { e.preventDefault(); act(deleteQuery)(); } }, h("p", null, plural(l.alerts, "alert") + " labelled " + label + " no longer fire, and their open deliveries are cancelled. This cannot be undone."), h("button", { class: "danger" }, "Delete " + plural(l.alerts, "alert"))))));
}

function row(a) {
  return h("a", { class: "result", href: "/alerts/" + encodeURIComponent(a.id) },
    h("b", null, a.name, a.label ? h("span", { class: "quiet label-of" }, " ", a.label) : null),
    h("span", { class: "bar chips" }, a.level === "NORMAL" ? null : h("span", { class: "chip plain" }, word(a.level)), a.paused ? h("span", { class: "chip" }, "paused") : h("span", { class: "chip good" }, "watching")),
    h("span", { class: "meta" }, [a.county ? a.county.name + " County" : "All of Georgia", a.events.length < 3 ? "only " + eventWords(a.events) : null,
      a.hitCount ? plural(a.hitCount, "hit") + ", last " + moment(a.lastHit) : "no hit yet"].filter(Boolean).join(" · ")));
}

async function run() {
  try {
    const [{ alerts }, { alertLabels }] = await Promise.all([ask(query, { limit: page, offset: 0, label }), ask(labelsQuery)]);
    if (!alerts.total && label) {
      show(box, h("div", { class: "stack" }, labelled(alertLabels), h("div", { class: "card" }, empty("No alert has this label", label))));
      return;
    }
    if (!alerts.total) {
      show(box, h("div", { class: "card" }, empty("No alerts yet", "An alert notifies you when a person of a name is booked or released, or gets another bond."),
        h("p", { class: "bar middle" }, h("a", { class: "button primary", href: "/alerts/new" }, "Create an alert"))));
      return;
    }
    const results = h("div", { class: "results" }, alerts.alerts.map(row));
    const more = h("p", { class: "more", hidden: alerts.alerts.length >= alerts.total }, h("button", { type: "button", click: () => next(results, more) }, "Show more"));
    show(box, h("div", { class: "stack" }, told, labelled(alertLabels), h("section", { class: "card group", "aria-labelledby": "h-watched" },
      h("div", { class: "card-head" }, h("h2", { id: "h-watched" }, label ? "Labelled " + label : "Watched names"), h("span", { class: "quiet small num" }, plural(alerts.total, "alert"))), together(alertLabels.find((l) => l.label === label)), results, more)));
  } catch (err) {
    show(box, failure(err, run));
  }
}

async function next(results, more) {
  const button = more.querySelector("button");
  button.disabled = true;
  try {
    const { alerts } = await ask(query, { limit: page, offset: results.children.length, label });
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
