// Bookings by person: one row a person, with the bookings that a search found under it. Only links that are sure join bookings, as on
// the page of a person; the service joins them.
import { h, line } from "./dom.js";
import { born, money, moment, plural } from "./format.js";
import { asWritten } from "./casing.js";
import { markedName } from "./marks.js";
import { status } from "./parts.js";
import { photograph } from "./photograph.js";
import { t } from "./words.js";

/** What is asked of a booking to find its person. */
export const personFields = " person { id status stays { id } }";

/** A booking in a line under its person. */
const booking = (r) => h("a", { class: "result", href: "/roster/" + encodeURIComponent(r.id), "data-result": true }, h("span", { class: "meta" },
  line([t("{name} County", { name: r.county.name }), t("booked {bookingDate}", { bookingDate: moment(r.bookingDate) }), r.releaseDate && t("released {releaseDate}", { releaseDate: moment(r.releaseDate) }), r.charges[0] && [asWritten(r.charges[0]), r.charges.length > 1 ? " +" + (r.charges.length - 1) : null], r.bondAmount === null ? null : t("{bondAmount} bond", { bondAmount: money(r.bondAmount) })])));

/** How many of a person's stays the search has found so far. */
const found = (n, all) => t("{n stay|stays} found{v}", { n, v: (all > n ? " " + t("of {all}", { all }) : "") });

/**
 * Returns a function that makes rows of records, a person each. What it is given later goes under the row that its person has already,
 * and that row is returned again.
 */
export function byPerson(words) {
  const known = new Map(); // id of a person -> its row so far
  return (records) => {
    const rows = new Set();
    for (const r of records) {
      const id = r.person ? r.person.id : r.id; // without a person it was withheld meanwhile
      if (!known.has(id)) known.set(id, begun(r, words));
      rows.add(known.get(id).add(r));
    }
    return [...rows];
  };
}

/** The row of the person whose booking r is. */
function begun(r, words) {
  const image = photograph(r, 48, true);
  const count = h("span");
  const under = h("div", { class: "under" });
  const row = h("div", { class: "by-person" },
    h("a", { class: image ? "result pictured" : "result", href: r.person ? "/people/" + encodeURIComponent(r.person.id) : "/roster/" + encodeURIComponent(r.id), "data-result": true },
      image, h("b", null, markedName(r.name, words)), status(r.person ? r.person.status : r.status), h("span", { class: "meta" }, line([count, born(r)]))), under);
  return { add(one) {
    under.append(booking(one));
    count.textContent = found(under.children.length, r.person ? r.person.stays.length : 1);
    return row;
  } };
}
