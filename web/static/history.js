// What changed in a record, newest first, each change with its source. Changes that one run brought stand together.
import { h, card, empty } from "./dom.js";
import { calm, calmName, calmTerm } from "./casing.js";
import { money, moment, date, word } from "./format.js";
import { time } from "./parts.js";
import { t } from "./words.js";

/** The selection of a record's history, for a query. */
export const historyFields = "history { at source { title } field before after }";

const names = {
  name: t("Name"), defendant: t("Defendant"), dob: t("Birth date"), birthYear: t("Year of birth"), bookingDate: t("Booked"), releaseDate: t("Released"), releaseInferred: t("Release inferred"), charges: t("Charges"), chargeDetails: t("Charge details"), bondAmount: t("Bond"), agency: t("Agency"),
  offense: t("Offense"), filedDate: t("Filed"), filedDateInferred: t("Filing date inferred"), bailAmount: t("Bail"), status: t("Status"), judge: t("Judge"), hearingLink: t("Virtual hearing"), hearings: t("Hearing"), dispositions: t("Disposition"), category: t("Category"), categories: t("Categories"), institution: t("Institution"),
  sentence: t("Sentence"), releaseDateProjected: t("Release is a projection"), paroleEndDate: t("Parole ends"),
};

const casing = { name: calmName, defendant: calmName, judge: calmName, institution: calmName, charges: calm, offense: calm, sentence: calmTerm, dispositions: calm };
const cased = (field, text) => (casing[field] ? casing[field](text) : text);

/** A charge, or a disposition: its outcome, sentence and day. */
const item = (of) => [of.description && calm(of.description), of.statute, of.severity && word(of.severity), money(of.bondAmount && Number(of.bondAmount)), of.bondText, of.disposition && calm(of.disposition),
  of.outcome && calm(of.outcome), of.sentence && calmTerm(of.sentence), date(of.date)].filter(Boolean).join(", ");

/** A list as one line; what is no list is shown as it is. */
function listed(field, value) {
  let items;
  try {
    items = JSON.parse(value);
  } catch {
    return value;
  }
  if (!Array.isArray(items)) return value;
  return items.map((one) => (one && typeof one === "object" ? item(one) : field === "categories" ? word(one) : cased(field, one))).join("; ") || "none";
}

/** A value as people read it: instants, days, money, lists and enums. */
function shown(field, value) {
  if (value === null) return field === "bondAmount" || field === "bailAmount" ? t("none set") : t("nothing");
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return moment(value);
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return date(value);
  if (field === "bondAmount" || field === "bailAmount") return money(Number(value));
  if (value === "true") return "yes";
  if (value === "false") return "no";
  if (value.startsWith("[")) return listed(field, value);
  return field === "status" || field === "category" ? word(value) : cased(field, value);
}

/** A change in words. One of capitals alone is shown as the source writes it, else nothing would have changed. */
function line(c) {
  const [before, after] = [shown(c.field, c.before), shown(c.field, c.after)];
  const [from, to] = before === after ? [c.before, c.after] : [before, after];
  return h("p", null, h("b", null, names[c.field] || c.field), ": ", c.before === null ? h("span", null, after) : [h("span", { class: "quiet" }, from), " → ", h("span", null, to)]);
}

/** The timeline of a record. firstSeen ends it, where it is known. */
export function timeline(history, firstSeen) {
  const runs = new Map();
  for (const c of history) {
    const key = c.at + c.source.title;
    if (!runs.has(key)) runs.set(key, []);
    runs.get(key).push(c);
  }
  const entries = [...runs.values()].sort((a, b) => Date.parse(b[0].at) - Date.parse(a[0].at))
    .map((changes) => h("li", null, h("p", { class: "small quiet" }, time(changes[0].at), " · ", changes[0].source.title), changes.map(line)));
  if (firstSeen) entries.push(h("li", null, h("p", { class: "small quiet" }, time(firstSeen)), h("p", null, t("First seen"))));
  return card(t("History"), entries.length ? h("ol", { class: "timeline" }, entries) : empty(t("No change so far"), t("Every change of a published fact is kept here with its source.")));
}
