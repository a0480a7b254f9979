// Asks back in a dialog of the browser: the rest of the page does not move, and the focus stays inside and returns. What is asked stands
// in <details class="confirm">, which does without scripts; so does one that the service opened, since a mistake is said beside it. Its
// data-label is the text of the button that closes the dialog, in the place of "Cancel".
import { h } from "./dom.js";
import { t } from "./words.js";

let asked = 0;

/** The dialog of a confirmation, made when it is first opened: it takes all that is folded. */
function dialogOf(details, summary) {
  const known = details.querySelector(":scope > dialog");
  if (known) return known;
  const id = "asked-" + ++asked;
  const cancel = h("button", { type: "button", click: () => dialog.close() }, details.dataset.label || t("Cancel"));
  const dialog = h(
    "dialog",
    {
      "aria-labelledby": id,
      close: () => {
        details.open = false;
      },
    },
    h("h2", { id }, summary.textContent.trim()),
    [...details.children].filter((c) => c !== summary),
  );
  const act = dialog.querySelector("form > button:last-of-type");
  if (act) {
    const bar = h("div", { class: "bar" });
    act.replaceWith(bar);
    bar.append(act, cancel);
  } else dialog.append(cancel);
  details.append(dialog);
  details.classList.add("asks");
  return dialog;
}

document.addEventListener("click", (e) => {
  const summary = /** @type {any} */ (e.target).closest("details.confirm:not([data-inline]) > summary");
  if (!summary || summary.parentElement.open) return;
  e.preventDefault();
  const dialog = dialogOf(summary.parentElement, summary);
  summary.focus(); // where the dialog returns the focus to
  summary.parentElement.open = true;
  dialog.showModal();
  requestAnimationFrame(() => {
    // What was folded takes no focus before it is drawn. Without a field, Cancel has it: a key that is pressed blindly does nothing.
    const field = dialog.querySelector("select, textarea, input:not([type=hidden], [hidden])");
    (field || [...dialog.querySelectorAll("button[type=button]")].at(-1))?.focus();
  });
});
