import { keep } from "./kept.js";
import { token } from "./api.js";
import { byId, one } from "./dom.js";
import { t } from "./words.js";

for (const form of document.querySelectorAll("form.fields[method=post]")) keep(form);
// A form is sent once: a second click on the way would make a second key or endpoint.
const sent = new Set();
document.addEventListener("submit", (e) => {
  if (/** @type {HTMLFormElement} */ (e.target).method !== "post" || e.defaultPrevented) return;
  if (sent.has(e.target)) e.preventDefault();
  else sent.add(e.target);
});
// A reader who comes back to the page may send its forms again: they are other ones.
addEventListener("pageshow", (e) => {
  sent.clear();
  if (e.persisted) for (const once of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[name=once]"))) once.value = token();
});
// Copies a secret that is shown once, and lets going back or reloading not send a form again.
for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-copy]"))) {
  const said = one("[data-copied]");
  button.addEventListener("click", async () => {
    const secret = byId(button.dataset.copy || "");
    try {
      await navigator.clipboard.writeText(secret.textContent);
      said.textContent = t("Copied.");
    } catch {
      const all = document.createRange();
      all.selectNodeContents(secret);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(all);
      said.textContent = t("Selected: press Ctrl+C or Command+C.");
    }
  });
}
// What is shown once does not come back with the page when the reader goes back to it.
addEventListener("pagehide", () => {
  for (const secret of document.querySelectorAll(".secret code[id]")) secret.closest("section")?.remove();
});
// One confirmation is open at a time, and Escape closes it, as it does a menu.
addEventListener("keydown", (e) => {
  const open = e.key === "Escape" && /** @type {HTMLDetailsElement | null} */ (document.querySelector("details.confirm[open], .drop[open]"));
  if (!open || open.querySelector(":modal")) return; // a dialog closes by itself
  open.open = false;
  one("summary", open).focus();
});
document.addEventListener(
  "toggle",
  ({ target: d }) => {
    if (/** @type {Element} */ (d).matches("details.confirm[open]"))
      for (const o of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.confirm[open]"))) if (o !== d) o.open = false;
  },
  true,
);
// A release is counted down until it is applied, and the page shows then how it went, unless somebody is in a form of it.
const until = /** @type {HTMLElement | null} */ (document.querySelector("[data-until]"));
const pending = document.getElementById("pending-release");
if (pending) {
  const left = pending.querySelector("[data-left]");
  const due = performance.now() + 1000 * (until ? Number(until.dataset.until) : 0);
  const count = setInterval(() => {
    const seconds = Math.ceil((due - performance.now()) / 1000);
    if (seconds > 0 && seconds % 15 === 0) document.dispatchEvent(new Event("figures-due")); // what it would change moves on meanwhile
    if (left) left.textContent = seconds > 1 ? t("{seconds} seconds", { seconds }) : seconds === 1 ? t("1 second") : t("a moment");
    const asked = document.querySelector("details.confirm[open]") || document.activeElement?.closest("form");
    if (seconds > -6 || (asked && !pending.contains(asked))) return;
    clearInterval(count);
    history.replaceState(null, "", "#release-ended"); // below, the keyboard goes to what it says
    location.reload();
  }, 1000);
}
const at = /** @type {HTMLElement | null} */ (document.querySelector("[data-at]"));
const part = location.hash.length > 1 && document.getElementById(location.hash.slice(1)); // what was asked for, below much else
const answer = part && /** @type {HTMLElement | null} */ (part.closest("section")?.querySelector("[role=alert], [role=status]"));
const kept = part && !answer ? location.hash : ""; // a place that is sent on, such as a line
history.replaceState(null, "", (at ? at.dataset.at : location.pathname.split("/").slice(0, 3).join("/")) + kept);
if (part) {
  part.scrollIntoView();
  if (answer) {
    answer.tabIndex = -1;
    answer.focus({ preventScroll: true });
  }
}
// A mistake of a document leads to its line in the form.
for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-line]"))) {
  link.addEventListener("click", (e) => {
    const draft = /** @type {HTMLTextAreaElement} */ (byId("draft"));
    const before = draft.value.split("\n").slice(0, Number(link.dataset.line) - 1);
    const from = before.join("\n").length + (before.length ? 1 : 0);
    const to = draft.value.indexOf("\n", from);
    e.preventDefault();
    draft.focus();
    draft.setSelectionRange(from, to < 0 ? draft.value.length : to);
    draft.scrollTop = Math.max(0, before.length - 5) * parseFloat(getComputedStyle(draft).lineHeight);
  });
}
