// What scripts add to the page of a record: its photograph may be blurred, and it is printed by a button.
import { showPhotographs } from "./photograph.js";
import "./settings.js";

showPhotographs(document);
document.querySelector(".print")?.addEventListener("click", () => print());
