// The inbox: its form is sent without leaving the page, keys press its buttons, and what alerts find appears by itself. Without
// this script the form does the same.
import "./settings.js";
import { byId } from "./dom.js";
import { forReader } from "./api.js";
import { followTogether } from "./shared.js";

const off = "rollcall-inbox-keys"; // kept in this browser
const settle = 1000; // ms in which events that come together are read at once
const dialog = byId("keys");
const form = () => byId("inbox");
const rows = () => [...form().querySelectorAll("[data-hit]")];
const rowOf = (element) => element?.closest?.("[data-hit]") || null;
const linkOf = (row) => row.querySelector("h4 a");
let busy = false;

/** Takes over what the service made of the page. */
function take(page) {
  page.getElementById("problem")?.removeAttribute("autofocus"); // which is for those without scripts; a browser warns of it here
  form().replaceWith(document.importNode(page.getElementById("inbox"), true));
  byId("nav-inbox").replaceWith(document.importNode(page.getElementById("nav-inbox"), true));
  ready();
}

/** Shows the button that needs this script. */
function ready() {
  const open = byId("keys-open");
  if (open) open.hidden = false;
}

/** Asks for the page, or sends its form, and returns what the service made of it. */
async function fetched(address, options) {
  const answer = await fetch(address, { ...options, headers: { Accept: "text/html", ...forReader }, cache: "no-store" });
  if (answer.redirected) return location.assign(answer.url); // the session has ended
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!page.getElementById("inbox")) throw new Error(page.querySelector("main")?.textContent.trim() || "The service answered " + answer.status + ".");
  return page;
}

function say(text) {
  byId("said").textContent = text;
}

/** Sends the form as a button has it; the keyboard goes on with the hit that took the place of the one that was handled. */
async function send(button) {
  if (busy) return;
  busy = true;
  const at = rows().indexOf(rowOf(button));
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form(), button)));
  body.set("reader", /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=reader]")).content); // as kept.js does
  try {
    const page = await fetched("/inbox", { method: "POST", body });
    if (!page) return;
    take(page);
    const next = rows()[Math.min(Math.max(at, 0), rows().length - 1)];
    const problem = byId("problem");
    if (problem) problem.focus();
    else if (next) linkOf(next).focus();
    else byId("main").focus();
    say(byId("done") ? byId("done").querySelector("span").textContent : "");
  } catch (err) {
    say("Not done. " + (err.name === "TypeError" ? "The service cannot be reached at the moment." : err.message));
  }
  busy = false;
}

/** Reads the page again; the keyboard stays on the hit where it was. */
async function refresh() {
  if (busy || dialog.open || document.hidden) return;
  busy = true;
  try {
    const page = await fetched(location.href);
    const old = rowOf(document.activeElement)?.dataset.hit;
    const select = document.activeElement?.id === "to";
    if (page && !select) {
      const to = byId("to")?.value;
      take(page);
      if (to && byId("to")) byId("to").value = to;
      const same = old && form().querySelector('[data-hit="' + CSS.escape(old) + '"]');
      if (same) linkOf(same).focus({ preventScroll: true });
    }
  } catch {
    // what is shown stays
  }
  busy = false;
}

function step(by) {
  const all = rows();
  if (!all.length) return;
  const at = all.indexOf(rowOf(document.activeElement));
  linkOf(all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)]).focus();
}

/** Presses the button of a key, of the hit that has the keyboard. */
function press(key) {
  const within = key === "z" ? form() : rowOf(document.activeElement);
  within?.querySelector("[data-key=" + key + "]")?.click();
}

const on = () => localStorage.getItem(off) !== "off";

document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || dialog.open || /** @type {Element} */ (e.target).closest("input, select, textarea")) return;
  if (e.key !== "?" && !on()) return;
  if (e.key === "j") step(1);
  else if (e.key === "k") step(-1);
  else if (e.key === "?") dialog.showModal();
  else if (["c", "d", "a", "u", "z"].includes(e.key)) press(e.key);
  else return;
  e.preventDefault();
});

byId("main").addEventListener("submit", (e) => {
  if (e.target.id !== "inbox" || !e.submitter) return;
  e.preventDefault();
  send(e.submitter);
});
byId("main").addEventListener("click", (e) => e.target.closest("#keys-open") && dialog.showModal());
byId("keys-on").checked = on();
byId("keys-on").addEventListener("change", (e) => (e.target.checked ? localStorage.removeItem(off) : localStorage.setItem(off, "off")));
ready();

let waiting = 0;
followTogether("inbox of " + form().dataset.account, { query: "subscription Inbox($after: ID) { alertEvents(after: $after) { id } }", onState: () => {}, onEvent: (data) => {
  clearTimeout(waiting);
  waiting = setTimeout(refresh, settle);
  return data.alertEvents.id;
} });
document.addEventListener("visibilitychange", refresh);
