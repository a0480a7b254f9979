// The hearings of a case: those that lie ahead first, and how calendars learn of them.
import { h, outside, empty, icon, line, show } from "./dom.js";
import { ask } from "./api.js";
import { asWritten, calmName } from "./casing.js";
import { copyButton } from "./copy.js";
import { date, today } from "./format.js";
import { whyNot } from "./mistakes.js";
import { time } from "./parts.js";
import { t, locale } from "./words.js";

const hourOf = new Intl.DateTimeFormat(locale, { timeZone: "UTC", hour: "numeric", minute: "2-digit" });
const monthOf = new Intl.DateTimeFormat(locale, { timeZone: "UTC", month: "short" });

function clock(text) {
  if (!text) return t("time not stated");
  return hourOf.format(new Date("2000-01-01T" + text.slice(0, 5) + "Z"));
}

function hearing(x) {
  const [year, , day] = x.date.split("-");
  return h("div", { class: "hearing" + (x.date < today ? " past" : "") },
    h("div", { class: "leaf", "aria-hidden": "true" }, h("i", null, monthOf.format(new Date(x.date + "T00:00:00Z"))), h("b", null, String(Number(day))), h("span", null, year)),
    h("div", null, h("h3", null, h("span", { class: "visually-hidden" }, date(x.date) + ", "), clock(x.time)),
      h("p", { class: "small" }, x.location || x.judge ? line([x.location && asWritten(x.location), x.judge && [t("Judge") + " ", asWritten(x.judge, calmName)]]) : t("Place not stated")),
      x.zoomLink ? h("p", { class: "small" }, outside(x.zoomLink, t("Virtual hearing"))) : null));
}

/** Addresses that calendar programs ask by themselves: made, shown once, and ended here. */
function subscription(c, feeds) {
  const said = h("p", { class: "readout", role: "status" });
  const own = h("div", { class: "stack-small" });
  const fresh = h("div", null);
  let newest; // whose address is shown in fresh
  const failed = (err) => show(said, whyNot(err));
  const list = () => show(own, feeds.length ? h("h3", null, t("Addresses in use")) : null, feeds.map((f) => h("div", { class: "row" },
    h("span", { class: "small" }, t("made") + " ", time(f.createdAt)),
    h("button", { type: "button", class: "danger", click: async () => {
      try {
        await ask("mutation End($id: ID!) { revokeCalendarFeed(id: $id) }", { id: f.id });
        feeds.splice(feeds.indexOf(f), 1);
        said.textContent = t("The address was ended.");
        if (f === newest) show(fresh);
        list();
        make.focus(); // the button that had the focus is gone
      } catch (err) { failed(err); }
    } }, t("End this address")))));
  const make = h("button", { type: "button", class: "primary", click: async () => {
    make.disabled = true;
    try {
      const { createCalendarFeed: made } = await ask("mutation Subscribe($id: ID!) { createCalendarFeed(caseId: $id) { url feed { id createdAt } } }", { id: c.id });
      const address = h("code", null, made.url);
      const copy = copyButton(address, (text) => { said.textContent = text; }, { class: "primary" });
      show(fresh, h("div", { class: "secret" }, address, copy));
      newest = made.feed;
      feeds.unshift(newest);
      said.textContent = t("Copy the address now: it is shown only this once.");
      list();
      copy.focus();
    } catch (err) { failed(err); }
    make.disabled = false;
  } }, t("Make an address"));
  list();
  return h("details", { class: "data" }, h("summary", null, t("Keep a calendar up to date")),
    h("div", { class: "note stack-small" }, h("p", { class: "small" }, t("A calendar program that subscribes to the address shows new and moved hearings automatically. Anybody who has the address can read the hearings, without a key, until you end it or the case is withheld.")),
      h("div", { class: "bar" }, make), fresh, said, own));
}

/** The card of hearings. */
export function hearings(c, feeds) {
  const ahead = c.hearings.filter((x) => x.date >= today);
  const past = c.hearings.filter((x) => x.date < today).reverse();
  return h("section", { class: "card", "aria-labelledby": "h-hearings" },
    h("div", { class: "card-head" }, h("h2", { id: "h-hearings" }, t("Hearings")),
      c.hearings.length ? h("a", { href: "/cases/" + encodeURIComponent(c.id) + "/hearings.ics", download: "hearings.ics" }, icon("calendar-plus"), " " + t("Add to calendar")) : null),
    c.hearings.length ? null : empty(t("No hearing on record"), t("Clerks publish hearings up to a day late.")),
    ahead.length ? h("div", { class: "stack-small" }, ahead.map(hearing)) : c.hearings.length ? h("p", { class: "quiet" }, t("No hearing lies ahead.")) : null,
    past.length ? h("details", { class: "data facts" }, h("summary", null, t("{length} past", { length: past.length })), h("div", { class: "stack-small" }, past.map(hearing))) : null,
    subscription(c, feeds));
}
