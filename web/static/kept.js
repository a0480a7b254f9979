// What was typed into a form outlives a session that ends before it is sent: it stays in this tab, for the page of the form,
// and is put back there after signing in again, for the same reader. Passwords are never kept.
const typed = "rollcall-typed";
const ended = "rollcall-ended";
const reader = /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=reader]"))?.content; // an id that says nothing of who it is
const fields = (form) => [...form.elements].filter((e) => e.name && !["password", "hidden", "submit", "button", "file"].includes(e.type));

function values(form) {
  return fields(form).map((e) => [
    e.name,
    e.type === "checkbox" || e.type === "radio" ? e.value : null,
    e.type === "checkbox" || e.type === "radio" ? e.checked : e.value,
  ]);
}

function held() {
  try {
    return JSON.parse(sessionStorage.getItem(typed) || "null");
  } catch {
    return null; // not ours
  }
}

/** Notes what a form holds whenever that changes, and puts back what it held when the session ended; true when it did. */
export function keep(form) {
  const id = location.pathname + " " + (form.getAttribute("action") || form.id);
  const save = () => sessionStorage.setItem(typed, JSON.stringify({ reader, id, values: values(form) }));
  form.addEventListener("input", save);
  form.addEventListener("submit", save);
  if (!sessionStorage.getItem(ended)) {
    forget(); // the form before was taken, or left
    return false;
  }
  const old = held();
  if (!old || old.reader !== reader || old.id !== id) return false;
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

// A form says whom its page was made for: when somebody else has signed in in another tab meanwhile, it is not done in their name.
document.addEventListener("submit", ({ target }) => {
  const form = /** @type {HTMLFormElement} */ (target);
  if (!reader || form.method !== "post" || form.elements.namedItem("reader")) return;
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name: "reader", value: reader });
  form.append(field);
});

// A reader who signs in after another in the same tab finds nothing of theirs, and one who signs out leaves nothing.
const old = held();
if (reader && old && old.reader !== reader) forget();
for (const form of document.querySelectorAll("form[action='/sign-out'], form[action='/settings/you/everywhere']")) form.addEventListener("submit", forget);
