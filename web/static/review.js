// The review: keys move between the records and open their forms, which ask for the reason as they do without scripts. No key does
// anything while somebody types, or with Ctrl, Alt or Command.
import "./settings.js";
import { byId } from "./dom.js";
import { plural } from "./format.js";
import { t } from "./words.js";

const off = "rollcall-review-keys"; // kept in this browser
const on = () => !localStorage.getItem(off);
const rows = [...document.querySelectorAll("[data-review]")];
const dialog = byId("keys");
const open = byId("keys-open");

/** The record that has the keyboard; nothing where none has. */
const current = () => document.activeElement?.closest("[data-review]") || null;

function go(row) {
  if (!row) return;
  row.tabIndex = -1;
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

function step(by) {
  const at = rows.findIndex((row) => row === current());
  go(rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + by))]);
}

/** Opens a form of the record that has the keyboard, at its reason. */
function decide(action) {
  const form = /** @type {HTMLFormElement | null} */ (current()?.querySelector(`form[action$="/${action}"]`));
  if (!form) return;
  const details = form.closest("details");
  if (details) details.open = true;
  /** @type {HTMLElement} */ (form.elements.namedItem("note")).focus();
}

const typing = (e) => e.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");

document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.isComposing || e.defaultPrevented || dialog.open || typing(e)) return;
  if (e.key === "?") dialog.showModal();
  else if (!on()) return;
  else if (e.key === "j") step(1);
  else if (e.key === "k") step(-1);
  else if (e.key === "p") decide("lift");
  else if (e.key === "h") decide("keep");
  else if (e.key === "x") /** @type {any} */ (current()?.querySelector("[name=pick]"))?.click();
  else return;
  e.preventDefault();
});

byId("keys-on").checked = on();
byId("keys-on").addEventListener("change", (e) => (e.target.checked ? localStorage.removeItem(off) : localStorage.setItem(off, "off")));
if (open) {
  open.hidden = rows.length === 0;
  open.addEventListener("click", () => dialog.showModal());
}

const picks = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("[name=pick]")]);
const all = byId("pick-all");
const say = () => (byId("picked").textContent = t("{length record|records} selected", { length: picks.filter((p) => p.checked).length }));
if (all) {
  all.hidden = false;
  all.addEventListener("click", () => {
    for (const p of picks) p.checked = true;
    say();
  });
  for (const p of picks) p.addEventListener("change", say);
  say();
}
