// Pages that the service makes are read again, and their forms sent, without leaving the page: parts of what comes back take the place
// of those that are shown.
import { forReader } from "./api.js";
import { byId } from "./dom.js";
import { t } from "./words.js";

const readerOf = (page) => page.querySelector("meta[name=reader]")?.content;

/**
 * The page at an address, which has an element with that id; null when this page is being left, as the session has ended or somebody
 * else has signed in. An error has offline where the service was not reached, and that of a signal is an AbortError.
 * @param {string} address
 * @param {string} id
 * @param {RequestInit} [options]
 * @returns {Promise<any>}
 */
export async function readPage(address, id, options = {}) {
  let answer, page;
  try {
    answer = await fetch(address, { ...options, headers: { Accept: "text/html", ...forReader }, cache: "no-store" });
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch (err) {
    if (err.name === "AbortError") throw err;
    throw Object.assign(new Error(t("The service cannot be reached at the moment.")), { offline: true });
  }
  if (answer.redirected) {
    const to = new URL(answer.url);
    if (to.pathname === "/sign-in") to.searchParams.set("next", location.pathname + location.search); // the address may be of a part
    location.assign(to);
    return null;
  }
  if (readerOf(page) && readerOf(page) !== readerOf(document)) {
    location.reload();
    return null;
  }
  if (!page.getElementById(id)) {
    throw new Error(page.querySelector("main p")?.textContent.trim() || t("The service answered {status}.", { status: answer.status }));
  }
  page.getElementById("problem")?.removeAttribute("autofocus"); // which is for those without scripts; a browser warns of it here
  return page;
}

/** Sends a form as one of its buttons has it, and returns the page that the service made of it, as readPage does. */
export function sendForm(form, button, id) {
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form, button)));
  body.set("reader", readerOf(document)); // as kept.js does
  return readPage(form.action, id, { method: "POST", body });
}

/** Puts the part of a page with that id in the place of the one that is shown. */
export function swap(page, id) {
  byId(id).replaceWith(document.importNode(page.getElementById(id), true));
}

/**
 * Brings a list to what was read anew: rows that are other by now are replaced, and new ones come first. Those that were not read stay.
 * key names a row, and other says whether one has changed. Returns the new rows. The keyboard stays where it was.
 */
export function merge(list, rows, key, other) {
  const shown = new Map([...list.children].map((row) => [key(row), row]));
  const top = list.firstElementChild,
    added = [];
  for (const row of [...rows].map((r) => document.importNode(r, true))) {
    const old = shown.get(key(row));
    if (!old) {
      added.push(row);
      list.insertBefore(row, top);
    } else if (other(old, row)) {
      const focused = document.activeElement === old;
      old.replaceWith(row);
      if (focused) row.focus();
    }
  }
  return added;
}

/**
 * Lets links "Show more" of a box put what comes next below the list that they stand behind, instead of leading there. id is that of an
 * element of such pages; took is called with the address and the rows.
 */
export function showsMore(box, id, took = (_address, _rows) => {}) {
  box.addEventListener("click", async (e) => {
    const link = e.target.closest("a[data-more]");
    if (!link || e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    const place = link.parentElement,
      part = link.closest("section");
    if (place.ariaBusy === "true") return;
    place.ariaBusy = "true";
    try {
      const page = await readPage(link.href, id);
      if (!page) return;
      const next = page.getElementById(part.id);
      const rows = [...(next.querySelector("[data-rows]")?.children || [])].map((row) => document.importNode(row, true));
      took(link.href, rows);
      part.querySelector("[data-rows]").append(...rows);
      const further = next.querySelector("a[data-more]");
      if (further) link.href = further.getAttribute("href");
      else place.remove();
      if (rows[0]) (rows[0].matches("a, [tabindex]") ? rows[0] : rows[0].querySelector("a")).focus();
    } catch (err) {
      place.querySelector("[role=alert]")?.remove();
      place.append(Object.assign(document.createElement("span"), { className: "small", role: "alert", textContent: " " + err.message }));
    }
    place.ariaBusy = "false";
  });
}
