// Ticks in the list of alerts. Without this script the form does the same.
import "./settings.js";
import { byId } from "./dom.js";
import { t } from "./words.js";

const several = byId("several");
if (several) {
  const form = several.closest("form");
  const boxes = [...form.querySelectorAll("[name=id]")];
  const which = form.elements.which;
  const say = () => {
    const n = boxes.filter((b) => b.checked).length;
    byId("ticked").textContent = n && which.value === "ticked" ? t("({n} selected)", { n }) : "";
  };
  form.addEventListener("change", (e) => {
    if (e.target.name === "id") which.value = "ticked";
    else if (e.target.name === "which") for (const b of boxes) b.checked = which.value !== "ticked";
    else return;
    say();
  });
  say();
}
