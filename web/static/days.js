// The figures of a county day by day: what is known of each day, as a table and as a file.
import { gql } from "./api.js";
import { h, table } from "./dom.js";
import { count, date, day, hours, money } from "./format.js";
import { t } from "./words.js";
/** @import { DataOf } from "../gql" */

/** The selection of the days of a county, for a query. */
export const dayFields = gql(
  "fragment Days on CountyStats { days { date bookings releases population week { withBond medianBond released medianHeldHours } } }",
);

/** @typedef {DataOf<typeof dayFields>["days"][number]} Known */
/** @typedef {{ withBond: number, medianBond: number | null, released: number, medianHeldHours: number | null }} Week */
/**
 * A day; its figures are null where nobody observed the jail, and its week's where the jail was not observed all of it. open: the day
 * is not over, so its figures are those so far.
 * @typedef {{ date: string, bookings: number | null, releases: number | null, population: number | null, week: Week | null, open: boolean }} Day
 */

const weekLong = 6 * 86400000; // milliseconds from the first day of a week to its last

/**
 * What is known of some days of a jail that is observed since a day. Of the time before, only those are known whom its list still
 * showed on that day: that is no figure of a jail.
 * @param {Known[]} all
 * @param {string} since
 * @param {string | null} last the day on which the source ended, which is not over; later ones are not known
 * @returns {Day[]}
 */
export const observedDays = (all, since, last) =>
  all.map((d) => {
    const open = d.date === last;
    if (d.date < since) return { date: d.date, bookings: null, releases: null, population: null, week: null, open };
    return { ...d, week: Date.parse(d.date) - Date.parse(since) >= weekLong ? d.week : null, open };
  });

/** What is said of a day, or of the week before it, that nobody observed. */
export const unobserved = () => t("no figures");

/** The name of a day or, with since, of the week to it. */
export function dayName(/** @type {{ date: string, since?: string, open: boolean }} */ d) {
  const name = d.since && d.since !== d.date ? t("{since} to {date}", { since: date(d.since), date: date(d.date) }) : date(d.date);
  return d.open ? t("{name}, so far", { name }) : name;
}

/** Why the figures of days begin later than the range; null: they do not. */
export const figuresSince = (/** @type {Day[]} */ days, /** @type {string} */ observed) =>
  days[0].population === null ? h("p", { class: "hint" }, t("Figures begin on {observed}. The gray part has none.", { observed: day(observed) })) : null;

/** Why the medians begin later than the range; null: they do not. */
export const mediansSince = (/** @type {Day[]} */ days, /** @type {string} */ observed) =>
  days[0].week === null
    ? h("p", { class: "hint" }, t("Figures begin on {observed}. A median needs 7 days, so the gray part has none.", { observed: day(observed) }))
    : null;

/** The figures as a table. */
export function daysTable(/** @type {Day[]} */ days) {
  return h(
    "details",
    { class: "data" },
    h("summary", null, t("All days as a table")),
    table(
      t("Figures by day"),
      [
        { name: t("Day") },
        { name: t("Booked"), num: true },
        { name: t("Released or no longer listed"), num: true },
        { name: t("Held"), num: true },
        { name: t("Median bond of the week"), num: true },
        { name: t("Median time held of the week"), num: true },
      ],
      days
        .slice()
        .reverse()
        .map((d) => [
          dayName(d),
          ...[d.bookings, d.releases, d.population].map((n) => (n === null ? "" : count(n))),
          d.week ? money(d.week.medianBond) || "–" : "",
          d.week ? hours(d.week.medianHeldHours) : "",
        ]),
    ),
  );
}

/** A figure of the file with at most so many decimals; empty where it is not known. */
const decimals = (n, most) => (n === null || n === undefined ? "" : String(Number(n.toFixed(most))));

/**
 * A link that saves the figures as CSV.
 * @param {string} county
 * @param {Day[]} days
 */
export function daysFile(county, days) {
  const rows = [
    ["day", "booked", "released_or_no_longer_listed", "held", "median_bond_of_week", "median_hours_held_of_week", "so_far"],
    ...days.map((d) => [
      d.date,
      ...[d.bookings, d.releases, d.population].map((n) => decimals(n, 0)),
      decimals(d.week?.medianBond, 2),
      decimals(d.week?.medianHeldHours, 1),
      d.open ? "yes" : "no",
    ]),
  ];
  const text = rows.map((row) => row.join(",")).join("\r\n") + "\r\n";
  return h("a", { href: "data:text/csv;charset=utf-8," + encodeURIComponent(text), download: county + "-jail-figures.csv" }, t("Download as CSV"));
}
