// The list of deliveries, which the service makes: it is narrowed as a filter is changed, and stays up to date.
import { byId } from "./dom.js";
import { follow } from "./deliverylist.js";
import { t } from "./words.js";

const form = byId("filter");
const pause = byId("pause");
let paused = false;

const narrow = follow({
  running: () => !paused,
  onNew: (row) => {
    byId("news").textContent = t("New delivery: {d}, {d2}", { d: row.querySelector("b").textContent, d2: row.querySelector(".meta span").textContent });
  },
});

/** The address of what the form asks for. */
function address() {
  const asked = new URLSearchParams([...new FormData(form)].filter(([, value]) => value).map(([name, value]) => [name, String(value)]));
  return asked.size ? "/deliveries?" + asked : "/deliveries";
}

form.addEventListener("change", () => {
  history.replaceState(null, "", address());
  narrow(location.href);
});
form.addEventListener("submit", (e) => e.preventDefault());
pause.hidden = false;
pause.addEventListener("click", () => {
  paused = !paused;
  pause.setAttribute("aria-pressed", String(paused));
  pause.textContent = paused ? t("Resume updates") : t("Pause updates");
});
