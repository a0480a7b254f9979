// The history of an alert: who changed what of it, newest first.
import { h, byId, card } from "./dom.js";
import { ask } from "./api.js";
import { word } from "./format.js";
import { kinds } from "./hits.js";
import { time } from "./parts.js";
import { t } from "./words.js";

const size = 50; // edits of a page
/** The selection of an edit, for a query. */
export const editFields = "id at by changes { member from to }";
const moreQuery = `query History($id: ID!, $after: ID) { alert(id: $id) { history(limit: ${size}, after: $after) { ${editFields} } } }`;

const names = { NAME: t("Name"), COUNTY: t("County"), DOB: t("Birth date"), BIRTH_YEAR: t("Year of birth"), AGE: t("Age"), AGE_ON: t("Age stated on"), EVENTS: t("Notifies when"), LEVEL: t("Level"), LABEL: t("Label") };
const none = { COUNTY: t("all of Georgia"), LABEL: t("none") };

/** A value as the page shows it elsewhere. */
function shown(member, value) {
  if (value === null) return none[member] || t("not given");
  if (member === "COUNTY") return byId("counties").content.querySelector('option[value="' + CSS.escape(value) + '"]')?.dataset.name || value;
  if (member === "EVENTS") return value.split(", ").map((kind) => kinds[kind.toUpperCase()] || kind).join(", ");
  return member === "LEVEL" ? word(value) : value;
}

/** A change in words. */
function said({ member, from, to }) {
  if (member === "PAUSED") return to === "true" ? t("Paused") : t("Resumed");
  if (member === "NOTE") return t("Note changed");
  return [names[member] + ": ", h("span", { class: "quiet" }, shown(member, from)), h("span", { "aria-hidden": "true" }, " → "), h("span", { class: "visually-hidden" }, " " + t("to") + " "), h("b", null, shown(member, to))];
}

const entry = (e) => h("li", { class: "small", "data-edit": e.id, tabindex: "-1" }, e.changes.map((c) => h("div", null, said(c))), h("div", { class: "quiet" }, e.by, " · ", time(e.at)));

/** The history of an alert as a card. */
export function edits(alert) {
  const items = h("ol", { class: "list history", reversed: true }, alert.history.map(entry));
  let last = alert.history.at(-1)?.id;
  const said = h("span", { class: "small", role: "alert" });
  const more = h("p", { class: "more", hidden: alert.history.length < size }, h("button", { type: "button", click: async () => {
    try {
      const { alert: a } = await ask(moreQuery, { id: alert.id, after: last });
      const added = a.history.map(entry);
      items.append(...added);
      last = a.history.at(-1)?.id || last;
      more.hidden = added.length < size;
      said.textContent = "";
      added[0]?.focus();
    } catch (err) {
      said.textContent = err.message;
    }
  } }, t("Show more")), said);
  return card(t("History"), alert.history.length ? [items, more] : h("p", { class: "small quiet" }, t("Nothing was changed since it was created.")));
}
