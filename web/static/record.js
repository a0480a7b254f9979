// What scripts add to the page of a record: its photograph may be blurred, and it is printed by a button.
import { adopt } from "./photograph.js";
import "./settings.js";

for (const image of document.querySelectorAll("img[data-photograph]")) adopt(image);
document.querySelector(".print")?.addEventListener("click", () => print());
