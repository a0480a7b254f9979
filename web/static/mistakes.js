// What a form or button that a script sends says when it was not done. The field of a mistake says so to who does not see the page,
// as those of plain forms do; where the session has ended, there is a way back in.
import { h } from "./dom.js";
import { t } from "./words.js";

/** Why something was not done, for the page. After the session's end the page stays, with what was written on it. */
export const whyNot = (err) =>
  err.code === "UNAUTHORIZED"
    ? [
        err.message + " ",
        h(
          "a",
          { href: "/sign-in?next=" + encodeURIComponent(location.pathname + location.search), target: "_blank", rel: "noopener" },
          t("Sign in in another tab"),
        ),
        ", " + t("then try again here. What you wrote is kept."),
      ]
    : [err.message];

/** Marks the field that a message is about, and returns it; the message is the element with that id. Without a name no field is marked. */
export function blame(form, name, message) {
  for (const e of form.querySelectorAll("[data-hint]")) {
    e.removeAttribute("aria-invalid");
    if (e.dataset.hint) e.setAttribute("aria-describedby", e.dataset.hint);
    else e.removeAttribute("aria-describedby");
    e.removeAttribute("data-hint");
  }
  const field = name && form.querySelector("[name=" + CSS.escape(name) + "]");
  if (!field) return null;
  const group = field.type === "checkbox" && field.closest("fieldset"); // which has no validity of its own
  const told = group || field;
  told.dataset.hint = told.getAttribute("aria-describedby") || "";
  told.setAttribute("aria-describedby", (message + " " + told.dataset.hint).trim());
  if (!group) told.setAttribute("aria-invalid", "true");
  return field;
}

/** A mistake that the page finds by itself, in the field of that name. */
export const mistake = (field, text) => Object.assign(new Error(text), { field });
