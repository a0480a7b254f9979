// Facts as people read them. Every time is Georgia's, whatever the reader's clock.

import { t, locale } from "./words.js";

const zone = "America/New_York";
/** The language of the page, for Intl. */
export const language = locale;
const dayFormat = new Intl.DateTimeFormat(locale, { timeZone: zone, year: "numeric", month: "short", day: "numeric" });
const timeFormat = new Intl.DateTimeFormat(locale, { timeZone: zone, year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
const plainDay = new Intl.DateTimeFormat(locale, { timeZone: "UTC", year: "numeric", month: "short", day: "numeric" });
const dollars = new Intl.NumberFormat(locale, { style: "currency", currency: "USD", minimumFractionDigits: 0, maximumFractionDigits: 2 });
const number = new Intl.NumberFormat(locale);

export const count = (n) => number.format(n);
export const money = (usd) => (usd === null || usd === undefined ? null : dollars.format(usd));
/** A calendar day, YYYY-MM-DD: it has no zone. */
export const date = (text) => (text ? plainDay.format(new Date(text + "T00:00:00Z")) : null);
export const day = (instant) => (instant ? dayFormat.format(new Date(instant)) : null);
/** A moment. A civil time of exactly midnight is a day of which the source gave no time: nothing is made up. */
export const moment = (instant) => (instant ? (/T00:00:00[-+]\d\d:00$/.test(instant) ? dayFormat : timeFormat).format(new Date(instant)) : null);
export const plural = (n, one, many = one + "s") => count(n) + " " + (n === 1 ? one : many);

const { DurationFormat } = /** @type {any} */ (Intl); // some browsers have none
const long = DurationFormat ? new DurationFormat(language, { style: "long" }) : null;
const inUnit = (n, unit) => new Intl.NumberFormat(language, { style: "unit", unit: unit.replace(/s$/, ""), unitDisplay: "long" }).format(n);

/** A length of time by its units, such as {years: 10, months: 1}: "10 years, 1 month". */
export const duration = (parts) =>
  long
    ? long.format(parts)
    : Object.entries(parts)
        .map(([unit, n]) => inUnit(n, unit))
        .join(", ");

/**
 * The largest unit of a length of time of a minute at least, and how many of them it has.
 * @returns {[number, any]}
 */
export function largest(seconds) {
  if (seconds >= 86400) return [Math.floor(seconds / 86400), "days"];
  if (seconds >= 3600) return [Math.floor(seconds / 3600), "hours"];
  return [Math.floor(seconds / 60), "minutes"];
}

/** A length of time in its largest unit. */
export function length(seconds) {
  if (seconds < 60) return t("less than a minute");
  const [n, unit] = largest(seconds);
  return duration({ [unit]: n });
}

/** Hours as days or hours, one decimal. */
export function hours(n) {
  if (n === null || n === undefined) return "–";
  const exact = n >= 48 ? n / 24 : n;
  const value = exact >= 10 ? Math.round(exact) : Math.round(exact * 10) / 10;
  return n >= 48 ? t("{value} days", { value }) : t("{value} h", { value });
}

/** A word of an enum for people: SEX_OFFENDER becomes sex offender. */
export const word = (name) => t(name.toLowerCase().replaceAll("_", " "));

/** Born: the day, or the year when only that is known. */
export function born(record) {
  if (record.dob) return t("born {day}", { day: date(record.dob) });
  return record.birthYear ? t("born {year}", { year: String(record.birthYear) }) : t("birth date not stated");
}
