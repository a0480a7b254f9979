// Changes the theme without loading the page anew, which would lose what is typed. Without this script the form does the same.
const root = document.documentElement;

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form.theme"))) {
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    const chosen = /** @type {HTMLButtonElement} */ (e.submitter);
    try {
      const answer = await fetch(form.action, {
        method: "POST",
        body: new URLSearchParams(/** @type {any} */ (new FormData(form, chosen))),
        redirect: "manual",
      });
      if (answer.type !== "opaqueredirect") throw new Error(String(answer.status));
    } catch {
      return; // the page stays as it is
    }
    if (chosen.value === "system") delete root.dataset.theme;
    else root.dataset.theme = chosen.value;
    /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=color-scheme]")).content = chosen.value === "system" ? "light dark" : chosen.value;
    for (const b of form.querySelectorAll("button")) b.setAttribute("aria-pressed", String(b === chosen));
  });
}
