// The page of a county: its jail's figures day by day, and how fresh its sources are.
import { h, byId, one, card, list } from "./dom.js";
import { ask, gql } from "./api.js";
import { count, day, money, moment, hours } from "./format.js";
import { chartFile } from "./chartfile.js";
import { population, flow, daily, bond, held } from "./charts.js";
import { daysTable, daysFile, dayFields, observedDays, figuresSince, mediansSince } from "./days.js";
import { now } from "./ages.js";
import { sharedCursor } from "./cursor.js";
import { refreshing, replace } from "./fresh.js";
import { load, inUse, readAgo, sourceState, sourceWords } from "./parts.js";
import { said, t } from "./words.js";
/** @import { DataOf } from "../gql" */

const query = gql(
  `query County($slug: String!, $days: Int!, $long: Int!, $compared: Boolean!) {
    countyStats(county: $slug, days: $days) { observedSince population withBond medianBond released medianHeldHours ...Days }
    before: countyStats(county: $slug, days: $long) @include(if: $compared) { ...Days }
    sources { id title kind enabled state lagSeconds note county { slug } coverage { slug } }
  }`,
  [dayFields],
);
/** @typedef {DataOf<typeof query>} Data */

const box = byId("county");
const slug = box.dataset.slug;
const ranges = [30, 90, 365]; // days
const range = ranges.find((n) => String(n) === new URLSearchParams(location.search).get("days")) || 90;
const year = 364; // days: 52 weeks, so that a day is compared with the same day of the week
const compared = new URLSearchParams(location.search).get("before") === "1";
const localDay = new Intl.DateTimeFormat("en-CA", { timeZone: "America/New_York", year: "numeric", month: "2-digit", day: "2-digit" });

const figure = (value, what) => h("div", { class: "figure" }, h("b", null, value), h("span", null, what));

/** @param {Data["sources"][number]} s */
function sourceLine(s) {
  return h(
    "div",
    { class: "row" },
    h(
      "div",
      null,
      h("h3", null, s.title),
      h(
        "p",
        { class: "small quiet" },
        t(s.kind) +
          (s.county || s.coverage.length === 1 ? "" : s.coverage.length ? ", " + t("{length} counties", { length: s.coverage.length }) : ", " + t("statewide")),
        " · ",
        s.lagSeconds === null ? null : t("read") + " ",
        readAgo(s),
      ),
      s.note ? h("p", { class: "small" }, said(s.note)) : null,
    ),
    sourceState(s.state),
  );
}

const read = () => ask(query, { slug, days: range, long: range + year, compared });

const address = (days, before) => "?days=" + days + (before ? "&before=1" : "");

const chooser = () =>
  h(
    "nav",
    { class: "bar ranges off-paper", "aria-label": t("Range") },
    ranges.map((n) => h("a", { href: address(n, compared), "aria-current": n === range ? "true" : null }, n === 365 ? t("1 year") : t("{n} days", { n }))),
  );

/**
 * Offers the year before, where something is known of it.
 * @param {{ date: string }[]} days
 * @param {string} since
 */
function comparison(days, since) {
  const last = new Date(Date.parse(days[days.length - 1].date) - 86400000 * year).toISOString().slice(0, 10);
  if (last < since) return compared ? h("p", { class: "hint" }, t("We have no figures of this county from a year earlier.")) : null;
  if (!compared) return h("p", { class: "off-paper" }, h("a", { href: address(range, true) }, t("Compare with a year earlier")));
  return h("p", { class: "hint" }, t("Dashed: 52 weeks earlier.") + " ", h("a", { class: "off-paper", href: address(range, false) }, t("Stop comparing")));
}

/**
 * A chart, and a button that saves it.
 * @param {string} title
 * @param {any[]} parts the picture and what stands below it
 */
function chart(title, parts) {
  const [picture, ...more] = parts;
  const county = one("h1").textContent.trim();
  const source = t("Source: rollcall, {origin}{pathname}. As of {v}.", {
    origin: location.origin,
    pathname: location.pathname,
    v: moment(new Date(now()).toISOString()),
  });
  return [picture, ...more, chartFile(picture, { title: title + ", " + county, source, name: slug + "-" + title.toLowerCase().replace(/[ ,]+/g, "-") })];
}

/**
 * Of whom the median time held is, and since when: the range, or the first day that was observed.
 * @param {{ population: number | null }[]} days
 * @param {Data["countyStats"]} c
 */
function releasedIn(days, c) {
  if (days[0].population === null)
    return t("median time held of {released person|people} released or no longer listed since {since}", { released: c.released, since: day(c.observedSince) });
  return t("median time held of {released person|people} released or no longer listed in the last {range} days", { released: c.released, range });
}

/** @param {Data} data */
function draw({ countyStats: c, before: long, sources }) {
  const tells = (/** @type {Data["sources"][number]} */ s) => (s.county ? [s.county] : s.coverage).some((c) => c.slug === slug);
  const own = inUse(sources.filter((s) => s.kind === "roster" && tells(s)));
  const wide = inUse(sources.filter((s) => s.kind !== "roster" && (tells(s) || (!s.county && !s.coverage.length))));
  const health = card(
    t("Sources"),
    own.length || "unread" in box.dataset ? null : h("p", { class: "note warn small" }, t("This county’s jail has no source.")),
    list([...own, ...wide].map(sourceLine)),
  );
  if ("unread" in box.dataset) return [health]; // the page says what to do instead
  if (!c.observedSince) {
    return [
      h(
        "div",
        { class: "columns" },
        h(
          "div",
          { class: "card empty" },
          h("b", null, t("No bookings from this jail yet")),
          t("Its source has sent none so far. Call the jail to find out who is held there."),
        ),
        h("div", { class: "side" }, health),
      ),
    ];
  }
  const stale = own.filter((s) => s.state !== "OK");
  const seen = Date.now() - 1000 * Math.max(0, ...stale.map((s) => s.lagSeconds || 0)); // when all of it was last known
  const as = stale.length ? moment(new Date(seen).toISOString()) : null;
  const known = c.days.filter((d) => !as || d.date <= localDay.format(seen));
  // The curves end where the source ended, and the day on which it ended is not over.
  const since = localDay.format(new Date(c.observedSince));
  const days = observedDays(known.length ? known : c.days.slice(0, 1), since, localDay.format(seen));
  const cursor = sharedCursor();
  const then = days.map((d, i) => (long && long.days[i].date >= since ? long.days[i] : null));
  return [
    h(
      "div",
      { class: "columns" },
      h(
        "div",
        { class: "stack" },
        as
          ? h(
              "p",
              { class: "note warn" },
              t("The jail’s source is {v}. These figures are as of {as}.", {
                v: stale.map((s) => sourceWords[s.state]).join(", "),
                as,
              }),
            )
          : null,
        h(
          "div",
          { class: "figures" },
          figure(count(c.population), as ? t("held as of {as}", { as }) : t("held now")),
          figure(money(c.medianBond) || "–", t("median bond of {withBond person|people} held now with a bond", { withBond: c.withBond })),
          figure(hours(c.medianHeldHours), releasedIn(days, c)),
        ),
        chooser(),
        comparison(days, since),
        days.some((d) => d.open) ? h("p", { class: "hint" }, t("The last day is not over. It is drawn lighter and counts only the day so far.")) : null,
        card(t("People held"), chart(t("People held"), population(days, then, cursor)), figuresSince(days, c.observedSince)),
        card(
          daily(days) ? t("Booked and released, day by day") : t("Booked and released, week by week"),
          h(
            "p",
            { class: "legend" },
            h("span", null, h("i", { class: "a" }), t("booked")),
            h("span", null, h("i", { class: "b" }), t("released or no longer listed")),
          ),
          chart(t("Booked, released or no longer listed"), flow(days, then, cursor)),
          figuresSince(days, c.observedSince),
        ),
        card(
          t("Median bond"),
          chart(t("Median bond"), bond(days, then, cursor)),
          h("p", { class: "hint" }, t("7-day rolling median of people booked, with each bond as it is now.")),
          mediansSince(days, c.observedSince),
        ),
        card(
          t("Median time held"),
          chart(t("Median time held"), held(days, then, cursor)),
          h("p", { class: "hint" }, t("7-day rolling median, from booking until the person is released or no longer listed.")),
          mediansSince(days, c.observedSince),
        ),
        h("div", { class: "card" }, daysTable(days), h("p", { class: "off-paper" }, daysFile(slug, days))),
      ),
      h("div", { class: "side" }, health),
    ),
  ];
}

load(box, read, draw);
refreshing(async () => replace(box, ...draw(await read())));
