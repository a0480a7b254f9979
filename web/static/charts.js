// The charts of a county, drawn as SVG: they take their colours from the page, light or dark, and print. A table has all of
// it beside them, so nothing is shown by a picture alone.
import { h, svg } from "./dom.js";
import { count, date, hours, money } from "./format.js";
import { dayName, unobserved } from "./days.js";
import { t, locale } from "./words.js";
/** @import { Cursor } from "./cursor.js" */
/** @import { Day, Known, Week } from "./days.js" */

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

const dayOfYear = new Intl.DateTimeFormat(locale, { timeZone: "UTC", month: "short", day: "numeric" });
const labelWide = 60; // units that the label of a day needs

/** The days that are named below a chart: the first one, and those that begin a month, as far as there is room for their labels. */
function labelled(days, at) {
  const out = [0];
  let free = left + 1.5 * labelWide; // the first label begins at its day, the others are centred
  for (let i = 1; i < days.length; i++) {
    if (days[i].date.slice(0, 7) === days[i - 1].date.slice(0, 7) || at(i) < free || width - at(i) < labelWide / 2) continue;
    out.push(i);
    free = at(i) + labelWide;
  }
  return out;
}

/** The grey part of a chart: the days before the first one of which something is shown. */
const unsure = (picture, to) => picture.append(svg("rect", { class: "unsure", x: left, y: 0, width: to - left, height }));

function frame(label, days, most, unit = count) {
  const at = (i) => left + (i + 0.5) * ((width - left) / days.length);
  const y = (n) => height - (n / most) * height;
  const ticks = [0, most / 2, most].map((n) => [
    svg("line", { class: "grid", x1: left, x2: width, y1: y(n), y2: y(n) }),
    svg("text", { x: left - 8, y: y(n) + 4, "text-anchor": "end" }, unit(n)),
  ]);
  const labels = labelled(days, at).map((i) =>
    svg("text", { x: i === 0 ? left : at(i), y: height + 18, "text-anchor": i === 0 ? "start" : "middle" }, dayOfYear.format(new Date(days[i].date))),
  );
  const picture = svg(
    "svg",
    {
      class: "chart",
      viewBox: `0 -8 ${width} ${height + 30}`,
      role: "slider",
      tabindex: 0,
      "aria-label": t("{label}. The table below has every day.", { label }),
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
  return by ? h("p", { class: "small num" }, t("{what}: {now}. A year earlier: {then} (now {by}).", { what, now: say(now), then: say(then), by })) : null;
}

const sumOf = (days, of) => days.reduce((n, d) => n + of(d), 0);

/**
 * People held at the end of each day, from the first one that was observed.
 * @param {Day[]} days
 * @param {(Known | null)[]} before
 * @param {Cursor} cursor
 */
export function population(days, before, cursor) {
  const then = before.map((d) => d && d.population);
  const last = lastOver(days);
  const whole = days.findIndex((d) => d.population !== null);
  const known = whole < 0 ? days.length : whole;
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
  if (known > 0) unsure(picture, at(Math.min(known, days.length - 1)));
  if (known < last) {
    picture.append(
      svg("polygon", { class: "area", points: at(known) + "," + height + " " + points(known, last + 1) + " " + at(last) + "," + height }),
      svg("polyline", { class: "line", points: points(known, last + 1) }),
    );
  }
  if (last < days.length - 1 && known < days.length) {
    if (known <= last) picture.append(svg("polyline", { class: "line so-far", points: points(last) }));
    picture.append(dot(true, at(last + 1), y(days[last + 1].population)));
  }
  past(picture, then, at, y);
  return [
    picture,
    readout(cursor, picture, days, at, (d) =>
      d.population === null
        ? nothing(d)
        : t("{name}: {population} held{v}", {
            name: dayName(d),
            population: d.population,
            v: earlier(before[days.indexOf(d)], (b) => t("{population} held", { population: b.population })),
          }),
    ),
    versus(t("Held at the end"), days[last].population, then[last] ?? null, count),
  ];
}

/** What a readout says of a day, or of the week to it, that was not observed. */
const nothing = (d) => dayName(d) + ": " + unobserved();

/** What a readout adds of the day a year before. */
const earlier = (day, say) => (day ? " (" + date(day.date) + ": " + say(day) + ")" : "");

/** What the readout of bookings adds. */
const yearBefore = (n) => (n === null || n === undefined ? "" : " " + t("(a year earlier: {n} booked)", { n }));

const narrowest = 6; // units that a day needs for two bars
const week = 7; // days

/** Whether bookings and releases are drawn by day; else by week. */
export const daily = (/** @type {Day[]} */ days) => (width - left) / days.length >= narrowest;

/**
 * The days by weeks. The last ends with the last day. part: it has fewer days than a week, as the first may, or its last day is not over.
 * @param {Day[]} days
 */
export function weeks(days) {
  const out = [];
  for (let end = days.length; end > 0; end -= week) {
    const all = days.slice(Math.max(0, end - week), end);
    const known = all.filter((d) => d.population !== null);
    const whole = known.length ? known : all;
    const sum = (of) => (known.length ? sumOf(known, of) : null);
    const { date, open } = whole[whole.length - 1];
    const part = open || whole.length < week;
    out.unshift({ date, open, part, since: whole[0].date, bookings: sum((d) => d.bookings), releases: sum((d) => d.releases), whole });
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
  const byDay = daily(all);
  const days = byDay ? all.map((d) => ({ ...d, part: d.open, whole: [d] })) : weeks(all);
  const pairs = new Map(all.map((d, i) => [d, before[i]]));
  // A week is compared only where each of its days is known a year before.
  const then = days.map((d) => {
    const same = d.whole.map((day) => pairs.get(day));
    return same.every(Boolean) && same.length ? sumOf(same, (b) => b.bookings) : null;
  });
  const { picture, at, y } = frame(
    byDay ? t("Bookings and releases of each day") : t("Bookings and releases of each week"),
    days,
    top(
      most(
        days.flatMap((d) => [d.bookings, d.releases]),
        then,
      ),
    ),
  );
  const w = Math.max(1, (width - left) / days.length / 2 - 0.6);
  days.forEach((d, i) => {
    const kind = (bar) => (d.part ? bar + " so-far" : bar);
    if (d.bookings) picture.append(svg("rect", { class: kind("bar-a"), x: at(i) - w, y: y(d.bookings), width: w, height: height - y(d.bookings) }));
    if (d.releases) picture.append(svg("rect", { class: kind("bar-b"), x: at(i) + 0.4, y: y(d.releases), width: w, height: height - y(d.releases) }));
  });
  const first = days.findIndex((d) => d.bookings !== null);
  if (first) unsure(picture, first < 0 ? width : at(first) - w);
  past(picture, then, at, y);
  // A part of a day is not compared with a whole one.
  const both = all.map((d, i) => ({ now: d, then: before[i] })).filter((pair) => pair.then && !pair.now.open);
  const sums = (of) => [sumOf(both, (pair) => of(pair.now)), sumOf(both, (pair) => of(pair.then))];
  return [
    picture,
    readout(cursor, picture, days, at, (d) =>
      d.bookings === null
        ? nothing(d)
        : t("{name}: {bookings} booked, {releases} released or no longer listed{v2}", {
            name: dayName(d),
            bookings: d.bookings,
            releases: d.releases,
            v2: yearBefore(then[days.indexOf(d)]),
          }),
    ),
    versus(t("Booked in these days"), ...sums((d) => d.bookings), count),
    versus(t("Released or no longer listed in these days"), ...sums((d) => d.releases), count),
    !byDay && days.some((d) => d.part && d.bookings !== null) ? h("p", { class: "hint" }, t("A lighter bar is only part of a week.")) : null,
  ];
}

/**
 * A median by the week that ends with each day. A week without anybody is a gap, and so is one that was not observed as a whole.
 * @param {Day[]} days
 * @param {(Known | null)[]} before
 * @param {string} what
 * @param {string} label
 * @param {(week: Week) => number | null} value
 * @param {(n: number) => string} unit
 * @param {(week: Week) => string} text
 * @param {Cursor} cursor
 */
function median(days, before, what, label, value, unit, text, cursor, step = 1) {
  const values = days.map((d) => d.week && value(d.week));
  const then = before.map((d) => d && value(d.week));
  const last = lastOver(days);
  const whole = days.findIndex((d) => d.week);
  const known = whole < 0 ? days.length : whole;
  const { picture, at, y } = frame(label, days, step * top(most(values, then) / step), unit);
  if (known > 0) unsure(picture, at(Math.min(known, days.length - 1)));
  const point = (i) => at(i).toFixed(1) + "," + y(values[i]).toFixed(1);
  const curve = (from, to) =>
    values
      .slice(from, to + 1)
      .map((v, i, part) => (v === null ? "" : (i > 0 && part[i - 1] !== null ? "L" : "M") + point(from + i)))
      .join("");
  picture.append(svg("path", { class: "line", d: curve(known, last) }), svg("path", { class: "line so-far", d: curve(last, days.length - 1) }));
  values.forEach((v, i) => {
    if (v !== null && (days[i].open || ((values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null))) picture.append(dot(days[i].open, at(i), y(v)));
  });
  past(picture, then, at, y);
  return [
    picture,
    readout(cursor, picture, days, at, (d) => (d.week ? dayName(d) + ": " + text(d.week) + earlier(before[days.indexOf(d)], (b) => text(b.week)) : nothing(d))),
    versus(what, values[last], then[last] ?? null, what.includes("bond") ? money : hours),
  ];
}

const shortMoney = new Intl.NumberFormat(locale, { style: "currency", currency: "USD", notation: "compact", maximumFractionDigits: 1 });

/**
 * Median bond of the people booked within the week to each day.
 * @param {Day[]} days
 * @param {(Known | null)[]} before
 * @param {Cursor} cursor
 */
export function bond(days, before, cursor) {
  return median(
    days,
    before,
    t("Median bond of the last week"),
    t("Median bond of people booked in the 7 days that end on each day"),
    (w) => w.medianBond,
    (n) => shortMoney.format(n),
    (w) =>
      w.medianBond === null
        ? t("no one booked in those 7 days has a bond")
        : t("{medianBond} for {withBond person|people} booked in 7 days", { medianBond: money(w.medianBond), withBond: w.withBond }),
    cursor,
  );
}

/**
 * Median time from booking to release of the people released within the week to each day.
 * @param {Day[]} days
 * @param {(Known | null)[]} before
 * @param {Cursor} cursor
 */
export function held(days, before, cursor) {
  const long = Math.max(...days.map((d) => d.week?.medianHeldHours || 0)) >= 48;
  return median(
    days,
    before,
    t("Median time held of the last week"),
    t("Median time held of people released or no longer listed in the 7 days that end on each day"),
    (w) => w.medianHeldHours,
    (n) => (long ? count(n / 24) + " d" : count(n) + " h"),
    (w) =>
      w.medianHeldHours === null
        ? t("no one was released or left the list in those 7 days")
        : t("{medianHeldHours} for {released person|people} released or no longer listed in 7 days", {
            medianHeldHours: hours(w.medianHeldHours),
            released: w.released,
          }),
    cursor,
    long ? 24 : 1,
  );
}
