// A list of deliveries, which the service makes, is read again while it is shown, so it stays up to date.
import { byId } from "./dom.js";
import { merge, readPage, showsMore, swap } from "./reading.js";

const soon = 1500; // ms between two looks while something is under way
const calm = 4000; // and while nothing is
const list = () => byId("deliveries");
const rowsOf = (part) => part.querySelector(".results");
const key = (row) => row.dataset.delivery;

/**
 * Keeps the list up to date while running() says so. onNew is called with the row of each new delivery, onRead with
 * each page that was read. Returns what shows the list of
 * another address.
 */
export function follow({
  running = /** @returns {boolean} */ () => true,
  onNew = /** @param {any} _ */ (_) => {},
  onRead = /** @param {any} _ */ (_) => {},
} = {}) {
  let at = location.href;
  let timer = 0;
  let turn = 0; // of the address
  let extra = false; // older pages are shown as well

  /** Takes over what was read: another address wholly, and else only what has changed. */
  function take(page, anew) {
    const shown = rowsOf(list()),
      now = page.getElementById("deliveries"),
      rows = rowsOf(now);
    if (anew || !shown || !rows) {
      if (anew || list().innerHTML !== now.innerHTML) swap(page, "deliveries");
      return;
    }
    for (const row of merge(shown, rows.children, key, (old, row) => old.innerHTML !== row.innerHTML)) {
      row.classList.add("fresh");
      onNew(row);
    }
    if (extra) return;
    const there = new Set([...rows.children].map(key));
    for (const row of [...shown.children]) if (!there.has(key(row))) row.remove();
    const more = list().querySelector(".more"),
      further = now.querySelector(".more");
    if (more && further) more.querySelector("[data-more]")?.setAttribute("href", further.querySelector("[data-more]")?.getAttribute("href"));
    else if (further) list().append(document.importNode(further, true));
  }

  async function look(anew = false) {
    clearTimeout(timer);
    const mine = turn;
    try {
      const page = await readPage(at, "deliveries");
      if (!page || mine !== turn) return;
      take(page, anew);
      onRead(page);
      byId("lost").hidden = true;
    } catch {
      if (mine !== turn) return;
      byId("lost").hidden = false;
    }
    wait();
  }

  function wait() {
    timer = setTimeout(() => (running() && !document.hidden ? look() : wait()), list().querySelector("[data-under-way]") ? soon : calm);
  }

  showsMore(list().parentElement, "deliveries", () => {
    extra = true;
  });
  addEventListener("online", () => look());
  wait();
  return (address) => {
    at = address;
    turn++;
    extra = false;
    return look(true);
  };
}
