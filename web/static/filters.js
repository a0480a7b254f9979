// The filters of the search: what they narrow bookings to, how many are set, and how the address says so.
import { byId } from "./dom.js";
import { today } from "./format.js";
import { t } from "./words.js";

const names = ["charge", "severity", "bond_from", "bond_to", "age_from", "age_to", "booked_from", "booked_to", "released_from", "released_to"];
const form = byId("search");
const box = byId("filters");
const chosen = byId("filters-chosen");
const year = Number(today.slice(0, 4));

const value = (name) => form.elements[name].value.trim();
const whole = (name) => (value(name) === "" ? undefined : Number(value(name)));

/** The names of the filters that are set. */
const set = () => names.filter(value);

/** What a list of bookings is narrowed to. An age is one of two years of birth. */
export function narrowing() {
  const older = whole("age_to"), younger = whole("age_from");
  const all = {
    charge: value("charge") || undefined, severity: value("severity") || undefined, bondFrom: whole("bond_from"), bondTo: whole("bond_to"),
    birthYearFrom: older === undefined ? undefined : year - older - 1, birthYearTo: younger === undefined ? undefined : year - younger,
    fromDate: value("booked_from") || undefined, toDate: value("booked_to") || undefined, releasedFrom: value("released_from") || undefined, releasedTo: value("released_to") || undefined,
  };
  return Object.fromEntries(Object.entries(all).filter(([, v]) => v !== undefined));
}

/** Says how many filters are set; returns that number. */
export function count() {
  const n = set().length;
  chosen.textContent = n ? t("{n} set", { n }) : "";
  byId("filters-clear").hidden = !n;
  return n;
}

/** Adds the filters to the parameters of an address. */
export const remember = (q) => set().forEach((name) => q.set(name, value(name)));

/** Sets the filters as the parameters of an address have them, and shows them if there are any. */
export function recall(q) {
  for (const name of names) form.elements[name].value = q.get(name) || "";
  if (count()) box.open = true;
}

/** Filters by the words of a charge alone. */
export function byCharge(text) {
  form.elements.charge.value = text;
  box.open = true;
}

/** Calls changed after the reader has changed a filter: at once, or some time after the last key. */
export function listen(changed) {
  box.addEventListener("input", (e) => changed(e.target.name !== "severity"));
  byId("filters-clear").addEventListener("click", () => {
    for (const name of names) form.elements[name].value = "";
    changed(false);
    form.elements.charge.focus();
  });
}
