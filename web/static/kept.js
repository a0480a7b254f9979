// What was typed into a form outlives a session that ends before it is sent: it stays in this tab, for the page of the form,
// and is put back there after signing in again. Passwords are never kept.
const typed = "rollcall-typed";
const ended = "rollcall-ended";
const fields = (form) => [...form.elements].filter((e) => e.name && !["password", "hidden", "submit", "button", "file"].includes(e.type));

function values(form) {
  return fields(form).map((e) => [e.name, e.type === "checkbox" || e.type === "radio" ? e.value : null, e.type === "checkbox" || e.type === "radio" ? e.checked : e.value]);
}

/** Notes what a form holds whenever that changes, and puts back what it held when the session ended; true when it did. */
export function keep(form) {
  const id = location.pathname + " " + (form.getAttribute("action") || form.id);
  const save = () => sessionStorage.setItem(typed, JSON.stringify({ id, values: values(form) }));
  form.addEventListener("input", save);
  form.addEventListener("submit", save);
  if (!sessionStorage.getItem(ended)) {
    forget(); // the form before was taken, or left
    return false;
  }
  let old = null;
  try {
    old = JSON.parse(sessionStorage.getItem(typed));
  } catch {
    // not ours
  }
  if (!old || old.id !== id) return false;
  forget();
  for (const [name, value, held] of old.values) {
    const field = fields(form).find((e) => e.name === name && (value === null || e.value === value));
    if (!field) continue;
    if (value === null) field.value = held;
    else field.checked = held;
  }
  return true;
}

/** Forgets what was typed: it was sent, or the reader has left. */
export function forget() {
  sessionStorage.removeItem(typed);
  sessionStorage.removeItem(ended);
}

/** Notes on the sign-in page whether it was a session's end that led there. */
export function arriving() {
  const why = new URLSearchParams(location.search).get("done");
  if (why === "ended") sessionStorage.setItem(ended, "1");
  else if (why) forget();
}
