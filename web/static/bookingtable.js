// Bookings as a table whose columns sort, and the order that is chosen. The server sorts.
import { h } from "./dom.js";
import { money, moment } from "./format.js";
import { markedName } from "./marks.js";
import { asWritten } from "./casing.js";
import { status } from "./parts.js";
import { t } from "./words.js";

// Of each column: its orders, the first one as it is selected first.
const columns = [
  { name: t("Name"), orders: ["NAME", "NAME_DESC"], cell: (r, words) => h("a", { href: "/roster/" + encodeURIComponent(r.id), "data-result": true }, markedName(r.name, words)) },
  { name: t("Booked"), orders: ["NEWEST", "OLDEST"], cell: (r) => moment(r.bookingDate) },
  { name: t("Released"), orders: ["RELEASED_LATEST", "RELEASED_EARLIEST"], cell: (r) => (r.releaseDate ? moment(r.releaseDate) : status(r.status)) },
  { name: t("County"), orders: ["COUNTY", "COUNTY_DESC"], cell: (r) => r.county.name },
  { name: t("Bond"), orders: ["BOND_HIGHEST", "BOND_LOWEST"], num: true, cell: (r) => money(r.bondAmount) },
  { name: t("Charge"), orders: ["CHARGE", "CHARGE_DESC"], whole: true, cell: (r) => r.charges.length ? [asWritten(r.charges[0]), r.charges.length > 1 ? " +" + (r.charges.length - 1) : null] : null },
];
const rising = new Set(["NAME", "OLDEST", "RELEASED_EARLIEST", "COUNTY", "BOND_LOWEST", "CHARGE"]);
const orders = [["", t("Closest name, newest")], ["NEWEST", t("Booked, newest")], ["OLDEST", t("Booked, oldest")], ["NAME", t("Name, A to Z")], ["NAME_DESC", t("Name, Z to A")], ["COUNTY", t("County, A to Z")], ["COUNTY_DESC", t("County, Z to A")],
  ["RELEASED_LATEST", t("Released, latest")], ["RELEASED_EARLIEST", t("Released, earliest")], ["BOND_HIGHEST", t("Bond, highest")], ["BOND_LOWEST", t("Bond, lowest")], ["CHARGE", t("Charge, A to Z")], ["CHARGE_DESC", t("Charge, Z to A")]];

/** Whether a text of an address is an order. */
export const isOrder = (text) => orders.some(([value]) => value === text);

/** A choice of the order, which phones have instead of the head of a table. */
export function orderChoice(order, choose) {
  const select = h("select", { "aria-label": t("Sort bookings by") }, orders.map(([value, text]) => h("option", { value, selected: value === order }, text)));
  select.addEventListener("change", () => choose(select.value));
  return select;
}

const kind = (c) => [c.num && "num", c.whole && "whole"].filter(Boolean).join(" ") || null;

/** A table of bookings; body takes its rows, which row makes. */
export function bookingTable(order, words, choose) {
  const head = (c) => {
    const at = c.orders.indexOf(order);
    const button = h("button", { type: "button", class: "link sort", "data-sort": c.name }, c.name, at < 0 ? null : h("span", { "aria-hidden": "true" }, rising.has(order) ? " ↑" : " ↓"));
    button.addEventListener("click", () => choose(c.orders[at === 0 ? 1 : 0], c.name));
    return h("th", { role: "columnheader", scope: "col", class: kind(c), "aria-sort": at < 0 ? "none" : rising.has(order) ? "ascending" : "descending" }, button);
  };
  const body = h("tbody", { role: "rowgroup" });
  const box = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("Bookings as a table") },
    h("table", { class: "cards", role: "table" }, h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, columns.map(head))), body));
  return { box, body, row: (r) => h("tr", { role: "row" }, columns.map((c, i) => h("td", { role: "cell", class: kind(c), "data-label": i ? c.name : null }, c.cell(r, words)))) };
}
