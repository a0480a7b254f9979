// The page of one delivery, which the service makes: it is read again while an attempt is still to come.
import "./settings.js";
import { byId } from "./dom.js";
import { readPage } from "./reading.js";
import { t } from "./words.js";

const soon = 1500; // ms between two looks
const box = byId("delivery");
const attempts = () => box.querySelector("[data-part=attempts]").dataset;

/** Takes over the parts that have changed; the keyboard and what is unfolded elsewhere stay. */
function take(page) {
  for (const part of box.querySelectorAll("[data-part]")) {
    const now = page.querySelector("[data-part=" + part.dataset.part + "]");
    if (now.innerHTML !== part.innerHTML) part.replaceWith(document.importNode(now, true));
  }
  box.toggleAttribute("data-under-way", page.getElementById("delivery").hasAttribute("data-under-way"));
}

async function look() {
  let wait = soon;
  try {
    const page = await readPage(location.href, "delivery");
    if (!page) return;
    const before = { ...attempts() };
    take(page);
    const { tries, state } = attempts();
    if (tries !== before.tries || state !== before.state) {
      byId("said").textContent = t("The delivery changed: {length attempt|attempts}, {v}", { length: Number(tries), v: state });
    }
  } catch {
    wait = 4 * soon;
  }
  next(wait);
}

function next(wait) {
  if (box.hasAttribute("data-under-way")) setTimeout(look, wait);
}

next(soon);
