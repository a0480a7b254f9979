// A mistake in a form that a script sends: its field says so to who does not see the page, as those of plain forms do.

/** Marks the field that a message is about, and gives it; the message is the element with that id. Without a name no field is marked. */
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
