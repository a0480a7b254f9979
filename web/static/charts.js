// The charts of a county, drawn as SVG: they take their colours from the page, light or dark, and print. A table has all of
// it beside them, so nothing is shown by a picture alone.
import { gql } from "./api.js";
import { h, svg, table } from "./dom.js";
import { count, date, hours, money, plural } from "./format.js";
import { t, locale } from "./words.js";
/** @import { DataOf } from "../gql" */
/** @import { Cursor } from "./cursor.js" */

/** The selection of the days of a county, for a query. */
export const dayFields = gql(
  "fragment Days on CountyStats { days { date bookings releases population week { withBond medianBond released medianHeldHours } } }",
);

/** @typedef {DataOf<typeof dayFields>["days"][number]} Known */
/** @typedef {Known & { open: boolean }} Day a day; open: it is not over, so its figures are those so far */

/** The name of a day or, with since, of the week to it. */
const dayName = (/** @type {{ date: string, since?: string, open: boolean }} */ d) => {
  const name = d.since ? t("{since} to {date}", { since: date(d.since), date: date(d.date) }) : date(d.date);
  return d.open ? t("{name}, so far", { name }) : name;
};

/** The days that are over. */
const over = (days) => days.filter((d) => !d.open);

/** The last day that is over; where none is, the first. */
const lastOver = (days) => Math.max(0, over(days).length - 1);

// On a narrow page the picture has fewer units, so that its text is about as large as that beside it.
const width = Math.max(340, Math.min(720, document.documentElement.clientWidth - 80));
const height = Math.round(100 + width / 7.2);
const left = 44;

/** A round number at or above n, for the top of an axis. */
function top(n) {
  if (n <= 4) return 4;
  const step = 10 ** Math.floor(Math.log10(n));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((f) => f * step).find((x) => x >= n && Number.isInteger(x)) || 10 * step;
}

function frame(label, days, most, unit = count) {
  const at = (i) => left + (i + 0.5) * ((width - left) / days.length);
  const y = (n) => height - (n / most) * height;
  const ticks = [0, most / 2, most].map((n) => [
    svg("line", { class: "grid", x1: left, x2: width, y1: y(n), y2: y(n) }),
    svg("text", { x: left - 8, y: y(n) + 4, "text-anchor": "end" }, unit(n)),
  ]);
  const labels = days
    .map((d, i) =>
      d.date.endsWith("-01") || i === 0
        ? svg("text", { x: i === 0 ? left : at(i), y: height + 18, "text-anchor": i === 0 ? "start" : "middle" }, date(d.date)?.replace(/, \d+$/, ""))
        : null,
    )
    .filter((x, i) => x && (i === 0 || at(i) - left > 90) && (width - at(i) > 40 || i === 0));
  const picture = svg(
    "svg",
    {
      class: "chart",
      viewBox: `0 -8 ${width} ${height + 30}`,
      role: "slider",
      tabindex: 0,
      "aria-label": t("{label}; the table below has every day", { label }),
    },
    ticks,
    labels,
  );
  return { picture, at, y };
}

/** Adds a chart to the cursor of the page. The line that is returned says what text says of the marked day. */
const readout = (/** @type {Cursor} */ cursor, picture, days, at, text) => cursor.add({ picture, days, at, text, left, width, height });

/** Draws the same figure a year before as a thin dashed line, with a gap where nothing is known. */
function past(picture, values, at, y) {
  const d = values.map((v, i) => (v === null ? "" : (i > 0 && values[i - 1] !== null ? "L" : "M") + at(i).toFixed(1) + "," + y(v).toFixed(1))).join("");
  if (d) picture.append(svg("path", { class: "past", d }));
}

const dot = (open, x, y) => svg("circle", { class: open ? "dot so-far" : "dot", cx: x, cy: y, r: 2.5 });

/** The greatest of some figures, those of the year before too. */
const most = (...values) => Math.max(0, ...values.flat().filter((v) => v !== null && v !== undefined));

/** By how much a figure differs from that of a year before; empty where there is nothing to compare. */
export function change(now, then) {
  if (!then || now === null || now === undefined) return "";
  const by = Math.round((100 * (now - then)) / then);
  return by === 0 ? "unchanged" : Math.abs(by) + "% " + (by > 0 ? "more" : "less");
}

/** A line below a chart: a figure, that of a year before, and the difference. */
function versus(what, now, then, say) {
  const by = change(now, then);
  return by ? h("p", { class: "small num" }, t("{what}: {now}. A year before: {then}, now {by}.", { what, now: say(now), then: say(then), by })) : null;
}

const sumOf = (days, of) => days.reduce((n, d) => n + of(d), 0);

/**
 * People held at the end of each day. What lies before the first observation is dashed: it is known only in part.
 * @param {Day[]} days
 * @param {string} since
 * @param {(Known | null)[]} before
 * @param {Cursor} cursor
 */
export function population(days, since, before, cursor) {
  const then = before.map((d) => d && d.population);
  const last = lastOver(days);
  const known = Math.max(
    0,
    days.findIndex((d) => !since || d.date >= since),
  );
  const { picture, at, y } = frame(
    t("People held at the end of each day"),
    days,
    top(
      most(
        days.map((d) => d.population),
        then,
      ),
    ),
  );
  const points = (from, to) =>
    days
      .slice(from, to)
      .map((d, i) => at(from + i).toFixed(1) + "," + y(d.population).toFixed(1))
      .join(" ");
  if (known > 0) {
    picture.append(
      svg("rect", { class: "unsure", x: left, y: 0, width: at(known) - left, height }),
      svg("polyline", { class: "line dash", points: points(0, known + 1) }),
    );
  }
  if (known < last) {
    picture.append(
      svg("polygon", { class: "area", points: at(known) + "," + height + " " + points(known, last + 1) + " " + at(last) + "," + height }),
      svg("polyline", { class: "line", points: points(known, last + 1) }),
    );
  }
  if (last < days.length - 1) {
    picture.append(svg("polyline", { class: "line so-far", points: points(last) }), dot(true, at(last + 1), y(days[last + 1].population)));
  }
  past(picture, then, at, y);
  return [
    picture,
    readout(cursor, picture, days, at, (d) =>
      t("{name}: {population} held{v}", {
        name: dayName(d),
        population: d.population,
        v: earlier(before[days.indexOf(d)], (b) => t("{population} held", { population: b.population })),
      }),
    ),
    versus(t("Held at the end"), days[last].population, then[last] ?? null, count),
  ];
}

/** What a readout adds of the day a year before. */
const earlier = (day, say) => (day ? " (" + date(day.date) + ": " + say(day) + ")" : "");

/** What the readout of bookings adds. */
const yearBefore = (n) => (n === null || n === undefined ? "" : " " + t("(a year before: {n} booked)", { n }));

const narrowest = 6; // units that a day needs for two bars

/** The days by weeks; the last ends with the last day, and the first may have fewer days. */
function weeks(days) {
  const out = [];
  for (let end = days.length; end > 0; end -= 7) {
    const week = days.slice(Math.max(0, end - 7), end);
    const sum = (of) => week.reduce((n, d) => n + of(d), 0);
    const { date, open } = week[week.length - 1];
    out.unshift({ date, open, since: week[0].date, bookings: sum((d) => d.bookings), releases: sum((d) => d.releases), whole: week });
  }
  return out;
}

/**
 * Bookings and releases of each day, side by side; of each week where days would be too narrow to be seen.
 * @param {Day[]} all
 * @param {(Known | null)[]} before
 * @param {Cursor} cursor
 */
export function flow(all, before, cursor) {
  const daily = (width - left) / all.length >= narrowest;
  const days = daily ? all : weeks(all);
  const pairs = new Map(all.map((d, i) => [d, before[i]]));
  // A week is compared only where each of its days is known a year before.
  const then = days.map((d) => {
    const same = (d.whole || [d]).map((day) => pairs.get(day));
    return same.every(Boolean) && same.length ? sumOf(same, (b) => b.bookings) : null;
  });
  const { picture, at, y } = frame(
    daily ? t("Bookings and releases of each day") : t("Bookings and releases of each week"),
    days,
    top(
      most(
        days.map((d) => Math.max(d.bookings, d.releases)),
        then,
      ),
    ),
  );
  const w = Math.max(1, (width - left) / days.length / 2 - 0.6);
  days.forEach((d, i) => {
    const kind = (bar) => (d.open ? bar + " so-far" : bar);
    if (d.bookings) picture.append(svg("rect", { class: kind("bar-a"), x: at(i) - w, y: y(d.bookings), width: w, height: height - y(d.bookings) }));
    if (d.releases) picture.append(svg("rect", { class: kind("bar-b"), x: at(i) + 0.4, y: y(d.releases), width: w, height: height - y(d.releases) }));
  });
  past(picture, then, at, y);
  // A part of a day is not compared with a whole one.
  const both = all.map((d, i) => ({ now: d, then: before[i] })).filter((pair) => pair.then && !pair.now.open);
  const sums = (of) => [sumOf(both, (pair) => of(pair.now)), sumOf(both, (pair) => of(pair.then))];
  return [
    picture,
    readout(cursor, picture, days, at, (d) =>
      t("{name}: {bookings} booked, {releases} released{v2}", {
        name: dayName(d),
        bookings: d.bookings,
        releases: d.releases,
        v2: yearBefore(then[days.indexOf(d)]),
      }),
    ),
    versus(t("Booked in these days"), ...sums((d) => d.bookings), count),
    versus(t("Released in these days"), ...sums((d) => d.releases), count),
  ];
}

/**
 * A median by the week that ends with each day. A week without anybody is a gap, one that reaches back before the first
 * observation is dashed: it knows only whom the jail's list still showed then.
 * @param {Day[]} days
 * @param {string} since
 * @param {(Known | null)[]} before
 * @param {string} what
 * @param {string} label
 * @param {(week: Day["week"]) => number | null} value
 * @param {(n: number) => string} unit
 * @param {(week: Day["week"]) => string} text
 * @param {Cursor} cursor
 */
function median(days, since, before, what, label, value, unit, text, cursor, step = 1) {
  const values = days.map((d) => value(d.week));
  const then = before.map((d) => d && value(d.week));
  const last = lastOver(days);
  const whole = days.findIndex((d) => !since || Date.parse(d.date) - Date.parse(since) >= 6 * 86400000);
  const known = whole < 0 ? days.length : whole;
  const { picture, at, y } = frame(label, days, step * top(most(values, then) / step), unit);
  if (known > 0) picture.append(svg("rect", { class: "unsure", x: left, y: 0, width: at(Math.min(known, days.length - 1)) - left, height }));
  const point = (i) => at(i).toFixed(1) + "," + y(values[i]).toFixed(1);
  const curve = (from, to) =>
    values
      .slice(from, to + 1)
      .map((v, i, part) => (v === null ? "" : (i > 0 && part[i - 1] !== null ? "L" : "M") + point(from + i)))
      .join("");
  picture.append(
    svg("path", { class: "line dash", d: curve(0, known) }),
    svg("path", { class: "line", d: curve(known, last) }),
    svg("path", { class: "line so-far", d: curve(last, days.length - 1) }),
  );
  values.forEach((v, i) => {
    if (v !== null && (days[i].open || ((values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null))) picture.append(dot(days[i].open, at(i), y(v)));
  });
  past(picture, then, at, y);
  return [
    picture,
    readout(cursor, picture, days, at, (d) => dayName(d) + ": " + text(d.week) + earlier(before[days.indexOf(d)], (b) => text(b.week))),
    versus(what, values[last], then[last] ?? null, what.includes("bond") ? money : hours),
  ];
}

const shortMoney = new Intl.NumberFormat(locale, { style: "currency", currency: "USD", notation: "compact", maximumFractionDigits: 1 });

/**
 * Median bond of the people booked within the week to each day.
 * @param {Day[]} days
 * @param {string} since
 * @param {(Known | null)[]} before
 * @param {Cursor} cursor
 */
export function bond(days, since, before, cursor) {
  return median(
    days,
    since,
    before,
    t("Median bond of the last week"),
    t("Median bond of the people booked in the seven days to each day"),
    (w) => w.medianBond,
    (n) => shortMoney.format(n),
    (w) =>
      w.medianBond === null
        ? t("nobody booked in the seven days to then has a bond")
        : t("{medianBond}, of {withBond person|people} booked in the seven days to then", { medianBond: money(w.medianBond), withBond: w.withBond }),
    cursor,
  );
}

/**
 * Median time from booking to release of the people released within the week to each day.
 * @param {Day[]} days
 * @param {string} since
 * @param {(Known | null)[]} before
 * @param {Cursor} cursor
 */
export function held(days, since, before, cursor) {
  const long = Math.max(...days.map((d) => d.week.medianHeldHours || 0)) >= 48;
  return median(
    days,
    since,
    before,
    t("Median time held of the last week"),
    t("Median time held, of the people released in the seven days to each day"),
    (w) => w.medianHeldHours,
    (n) => (long ? count(n / 24) + " d" : count(n) + " h"),
    (w) =>
      w.medianHeldHours === null
        ? t("nobody was released in the seven days to then")
        : t("{medianHeldHours}, of {released person|people} released in the seven days to then", {
            medianHeldHours: hours(w.medianHeldHours),
            released: w.released,
          }),
    cursor,
    long ? 24 : 1,
  );
}

/**
 * The same figures as a table.
 * @param {Day[]} days
 */
export function daysTable(days) {
  return h(
    "details",
    { class: "data" },
    h("summary", null, t("All days as a table")),
    table(
      t("Figures by day"),
      [
        { name: t("Day") },
        { name: t("Booked"), num: true },
        { name: t("Released"), num: true },
        { name: t("Held"), num: true },
        { name: t("Median bond of the week"), num: true },
        { name: t("Median time held of the week"), num: true },
      ],
      days
        .slice()
        .reverse()
        .map((d) => [dayName(d), count(d.bookings), count(d.releases), count(d.population), money(d.week.medianBond) || "–", hours(d.week.medianHeldHours)]),
    ),
  );
}

/**
 * A link that saves the same figures as CSV.
 * @param {string} county
 * @param {Day[]} days
 */
export function daysFile(county, days) {
  const rows = [
    ["day", "booked", "released", "held", "median_bond_of_week", "median_hours_held_of_week", "so_far"],
    ...days.map((d) => [d.date, d.bookings, d.releases, d.population, d.week.medianBond ?? "", d.week.medianHeldHours ?? "", d.open ? "yes" : "no"]),
  ];
  const text = rows.map((row) => row.join(",")).join("\r\n") + "\r\n";
  return h("a", { href: "data:text/csv;charset=utf-8," + encodeURIComponent(text), download: county + "-jail-figures.csv" }, t("Download as CSV"));
}
