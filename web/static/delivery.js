// The page of one delivery: what was sent, each attempt, and sending it once more.
import { h, byId, card, facts, empty } from "./dom.js";
import { ask } from "./api.js";
import { count, plural } from "./format.js";
import { bondStep } from "./hits.js";
import { rowFields, state, subject, underWay, what } from "./deliverylist.js";
import { whyNot } from "./mistakes.js";
import { time, failure } from "./parts.js";
import { t } from "./words.js";

const soon = 1500; // ms between two looks while it is under way
const fields = rowFields.replace("attempts { at status error }", "eventId attempts { at status latencyMs answer error }");
const query = `query Delivery($id: ID!) { delivery(id: $id) { ${fields} } }`;
const againQuery = `mutation Again($id: ID!) { redeliver(deliveryId: $id) { ${fields} } }`;

const box = byId("delivery");
const id = box.dataset.id;
const messages = h("div", { class: "messages" });
const said = h("p", { class: "visually-hidden", role: "status" });
let shown = "";
let timer = 0;

const reasons = { exhausted: t("every attempt failed"), cancelled: t("its alert or endpoint was deleted"), disabled: t("the endpoint was disabled"), paused: t("the endpoint or the alert was paused"), plan: t("the account was suspended or left the Enterprise plan"), bounced: t("the recipient’s mail server refused the address"), dismissed: t("you said that it is someone else"), sealed: t("its record must not be shown any more") };

function pretty(payload) {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}

function attempt(a, i) {
  return h("li", { class: a.error ? "bad" : "good" },
    h("p", null, h("b", null, a.error ? t("Attempt {v} failed", { v: (i + 1) }) : t("Attempt {v} was taken", { v: (i + 1) })), " ", a.status ? h("span", { class: "chip " + (a.error ? "bad" : "good") }, String(a.status)) : null),
    h("p", { class: "small quiet" }, time(a.at), " · ", a.latencyMs < 1 ? t("under 1 ms") : t("{latencyMs} ms", { latencyMs: a.latencyMs })),
    a.error ? h("p", { class: "small" }, a.error) : null,
    a.answer ? h("details", { class: "data" }, h("summary", null, t("What it answered")), h("pre", { tabindex: "0" }, a.answer)) : null);
}

function attempts(d) {
  return card(t("Attempts"), d.attempts.length ? h("ol", { class: "timeline attempts" }, d.attempts.map(attempt))
    : underWay(d) ? empty(t("Not tried yet"), t("The first attempt is made within moments.")) : empty(t("Never tried"), d.reason ? t("It was dropped before: {v}.", { v: reasons[d.reason] }) : ""),
  d.state === "FAILED" ? h("p", { class: "note warn" }, t("The next attempt is due") + " ", time(d.nextAttempt), t(". Four are made in all: the first, and about 30 s, 5 min and 30 min after a failure.")) : null);
}

function payload(d) {
  if (!d.payload) return card(t("What is sent"), h("p", { class: "quiet" }, t("Its record must not be shown any more, so neither is this.")));
  return h("section", { class: "card", "aria-labelledby": "h-payload" },
    h("div", { class: "card-head" }, h("h2", { id: "h-payload" }, t("What is sent")), h("span", { class: "small quiet" }, t("{length} bytes, the same on each attempt", { length: new TextEncoder().encode(d.payload).length }))),
    h("pre", { class: "payload", tabindex: "0", role: "region", "aria-label": t("Body, set out on lines") }, pretty(d.payload)),
    h("details", { class: "data" }, h("summary", null, t("The exact bytes, as they are signed")), h("pre", { tabindex: "0" }, d.payload)));
}

function again(d) {
  if (underWay(d) || !d.payload) return null;
  return h("details", { class: "confirm" }, h("summary", null, t("Send it again")),
    h("form", { submit: async (e) => {
      e.preventDefault();
      const button = e.target.querySelector("button");
      button.disabled = true; // on the way a second click would send it twice
      try {
        const { redeliver: now } = await ask(againQuery, { id });
        messages.replaceChildren(h("p", { class: "note good", role: "status" }, t("It is being sent again.")));
        draw(now);
        look();
      } catch (err) {
        messages.replaceChildren(h("p", { class: "note bad", role: "alert" }, whyNot(err)));
        button.disabled = false;
      }
    } }, h("p", null, t("The same bytes go to the endpoint once more, with the same webhook-id, so that a careful receiver takes it only once.")), h("button", { class: "primary" }, t("Send it again"))));
}

function draw(d) {
  const text = JSON.stringify(d);
  if (text === shown) return;
  if (shown) said.textContent = t("The delivery changed: {length attempt|attempts}, {v}", { length: d.attempts.length, v: d.state.toLowerCase() });
  shown = text;
  const name = subject(d);
  document.title = (name || t("Delivery")) + " · rollcall";
  box.replaceChildren(
    h("div", { class: "head" }, h("div", null, h("div", { class: "person" }, h("h1", null, name || t("Delivery")), state(d)), h("p", null, what(d), d.facts && d.event === "BOND_CHANGE" ? [" ", bondStep(d.event, d.facts)] : null, " · " + t("made") + " ", time(d.createdAt)))),
    h("div", { class: "stack" }, messages, said,
      d.test ? h("p", { class: "note" }, t("A test: a booking of an invented person, with the header X-Service-Test: 1.")) : null,
      h("div", { class: "columns" },
        h("div", { class: "stack" }, attempts(d), payload(d)),
        h("div", { class: "side" }, card(t("The delivery"), facts([
          [t("Endpoint"), h("a", { class: "address", href: d.webhook.url.startsWith("mailto:") ? "/settings/notify" : "/settings/webhooks/" + encodeURIComponent(d.webhook.id) }, d.webhook.url)],
          [t("Alert"), d.alert ? h("a", { href: "/alerts/" + encodeURIComponent(d.alert.id) }, d.alert.name) : null],
          ["webhook-id", h("code", null, d.eventId)], [t("Delivery id"), h("code", null, d.id)],
          [t("Dropped because"), d.reason ? reasons[d.reason] : null]]), again(d))))));
}

async function look() {
  clearTimeout(timer);
  try {
    const { delivery: d } = await ask(query, { id });
    if (!d) throw Object.assign(new Error("gone"), { code: "NOT_FOUND" });
    draw(d);
    if (underWay(d)) timer = setTimeout(look, soon);
  } catch (err) {
    if (shown && err.code !== "NOT_FOUND") timer = setTimeout(look, 4 * soon);
    else {
      box.replaceChildren(err.code === "NOT_FOUND"
        ? h("div", { class: "card empty", role: "alert" }, h("h1", null, t("Delivery not found")), h("p", null, t("It never existed, or is no longer kept.")), h("p", { class: "bar" }, h("a", { class: "button", href: "/deliveries" }, t("Go to deliveries"))))
        : failure(err, look));
    }
  }
}
look();
