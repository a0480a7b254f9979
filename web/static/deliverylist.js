// Deliveries as rows that keep themselves up to date.
import { h, show } from "./dom.js";
import { ask } from "./api.js";
import { moment, plural, word } from "./format.js";
import { bondStep, kinds } from "./hits.js";
import { asWritten, calmName } from "./casing.js";
import { cells, failure } from "./parts.js";
import { t } from "./words.js";

const soon = 1500; // ms between two looks while something is under way
const calm = 4000; // and while nothing is
const page = 30;

/** The selection of a delivery in a list. */
export const rowFields = "id event test state reason nextAttempt createdAt payload facts { bondAmount bondBefore } webhook { id url } alert { id name label } attempts { at status error }";

const query = `query Deliveries($filter: DeliveryFilter, $limit: Int, $after: String) {
  deliveries(filter: $filter, limit: $limit, after: $after) { deliveries { ${rowFields} } pageInfo { endCursor hasNextPage } }
}`;

const tones = { PENDING: "accent", DELIVERED: "good", FAILED: "warn", DROPPED: "bad" };
const states = { PENDING: t("waiting"), DELIVERED: t("delivered"), FAILED: t("will be tried again"), DROPPED: t("dropped") };
export const state = (d) => h("span", { class: "chip " + tones[d.state] }, states[d.state] + (d.reason ? ": " + d.reason : ""));
export const underWay = (d) => d.state === "PENDING" || d.state === "FAILED";

/** Whom or what a delivery is about. */
export function subject(d) {
  if (!d.payload) return t("A record that is not shown any more");
  try {
    const p = JSON.parse(d.payload);
    if (p.record && p.record.name) return p.record.name;
    if (p.record) return p.record.id;
    if (p.source) return p.source.title;
  } catch {
    // a body that is no JSON is shown on the delivery's own page
  }
  return "";
}

/** What a delivery is, in a few words. */
export const what = (d) => (d.test ? "test" : kinds[d.event] || word(d.event));

const host = (url) => {
  try {
    const to = new URL(url);
    return to.protocol === "mailto:" ? decodeURIComponent(to.pathname) : to.host;
  } catch {
    return url;
  }
};

function row(d) {
  const last = d.attempts[d.attempts.length - 1];
  return h("a", { class: "result", href: "/deliveries/" + encodeURIComponent(d.id), "data-delivery": d.id },
    h("b", null, asWritten(subject(d), calmName)), h("span", { class: "chips" }, state(d)),
    cells([[what(d), d.facts ? [" ", bondStep(d.event, d.facts)] : null], moment(d.createdAt), t("to {host}", { host: host(d.webhook.url) }),
      [d.state !== "DELIVERED" && last && last.error, d.state === "FAILED" && d.nextAttempt && t("next try {nextAttempt}", { nextAttempt: moment(d.nextAttempt) }), d.attempts.length ? t("{length attempt|attempts}", { length: d.attempts.length }) : t("not tried yet"),
        d.alert && t("alert {name}", { name: d.alert.name + (d.alert.label ? " (" + d.alert.label + ")" : "") })].filter(Boolean).join(" · ")]));
}

/**
 * Shows the newest deliveries of a filter in box and keeps them up to date while running() says so. none is what to show when
 * there are none. Returns {narrow(filter)}.
 */
export function liveList(box, filter, { none, running = () => true, limit = page, more = true, onNew = /** @param {any} _ */ (_) => {} }) {
  const results = h("div", { class: "results rows deliveries" });
  const button = h("button", { type: "button", click: older }, t("Show older"));
  const place = h("p", { class: "more", hidden: true }, button);
  const lost = h("p", { class: "note warn", role: "status", hidden: true }, t("The service cannot be reached. What is shown may be old. This page keeps trying."));
  const rows = new Map(); // id -> {text, element}
  let timer = 0;
  let turn = 0; // of the filter
  let extra = false; // older pages are shown as well
  let cursor = null;

  /** Puts a delivery where it belongs, and replaces its row only if something of it changed. */
  function put(d, before) {
    const text = JSON.stringify(d);
    const old = rows.get(d.id);
    if (old && old.text === text) return old.element;
    const element = row(d);
    if (old) {
      const focused = document.activeElement === old.element;
      old.element.replaceWith(element);
      if (focused) element.focus();
    } else if (before) before.before(element);
    else results.append(element);
    rows.set(d.id, { text, element });
    return element;
  }

  async function look() {
    clearTimeout(timer);
    const mine = turn;
    let busy = false;
    try {
      const { deliveries: p } = await ask(query, { filter, limit });
      if (mine !== turn) return;
      lost.hidden = true;
      busy = p.deliveries.some(underWay);
      const first = rows.size === 0;
      if (!p.deliveries.length) {
        rows.clear();
        results.replaceChildren();
        show(box, none());
      } else {
        if (!results.isConnected) show(box, lost, results, more ? place : null);
        const ids = new Set(p.deliveries.map((d) => d.id));
        const top = results.firstElementChild;
        for (const d of p.deliveries) {
          const known = rows.has(d.id);
          const element = put(d, known || first ? null : top);
          if (!known && !first) {
            element.classList.add("fresh");
            onNew(d);
          }
        }
        if (!extra) {
          for (const [id, r] of rows) {
            if (ids.has(id)) continue;
            r.element.remove();
            rows.delete(id);
          }
          cursor = p.pageInfo.endCursor;
          place.hidden = !p.pageInfo.hasNextPage;
        }
      }
    } catch (err) {
      if (mine === turn && !rows.size) {
        show(box, failure(err, look));
        return;
      }
      lost.hidden = false;
    }
    timer = setTimeout(tick, busy ? soon : calm);
  }

  function tick() {
    if (running() && !document.hidden) look();
    else timer = setTimeout(tick, soon);
  }

  async function older() {
    button.disabled = true;
    const mine = turn;
    try {
      const { deliveries: p } = await ask(query, { filter, limit, after: cursor });
      if (mine !== turn) return;
      extra = true;
      const added = p.deliveries.filter((d) => !rows.has(d.id)).map((d) => put(d));
      cursor = p.pageInfo.endCursor;
      place.hidden = !p.pageInfo.hasNextPage;
      if (added[0]) added[0].focus();
    } catch (err) {
      place.append(h("span", { class: "small", role: "alert" }, " " + err.message));
    }
    button.disabled = false;
  }

  addEventListener("online", look);
  look();
  return {
    narrow(next) {
      filter = next;
      turn++;
      extra = false;
      rows.clear();
      results.replaceChildren();
      look();
    },
  };
}

