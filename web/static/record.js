// What scripts add to the page of a record or person: a photograph may be blurred, a button prints it, and the link to the results of the
// search goes back to them as they were left.
import { showPhotographs } from "./photograph.js";
import "./settings.js";

showPhotographs(document);
document.querySelector(".print")?.addEventListener("click", () => print());

const results = /** @type {HTMLAnchorElement | null} */ (document.getElementById("results"));
results?.addEventListener("click", (e) => {
  const { navigation } = /** @type {any} */ (window); // not in every browser
  const last = navigation?.entries()[navigation.currentEntry.index - 1];
  if (last?.url !== results.href || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
  e.preventDefault();
  history.back();
});
