// The list of deliveries, with filters that stay in the address.
import { h, byId, empty } from "./dom.js";
import { ask } from "./api.js";
import { startOfDay, dayAfter } from "./format.js";
import { liveList, subject, what } from "./deliverylist.js";
import { t } from "./words.js";

const names = ["state", "webhook", "alert", "from", "to"];
const form = byId("filter");
const pause = byId("pause");
let paused = false;

/** The filter as typed; days are Georgia's, the last one included. */
function filter() {
  const v = (name) => form.elements[name].value || null;
  return { state: v("state"), webhookId: v("webhook"), alertId: v("alert"), from: v("from") && startOfDay(v("from")), to: v("to") && startOfDay(dayAfter(v("to"))) };
}

function remember() {
  const q = new URLSearchParams();
  for (const name of names) if (form.elements[name].value) q.set(name, form.elements[name].value);
  history.replaceState(null, "", q.size ? "?" + q : location.pathname);
}

const narrowed = () => names.some((name) => form.elements[name].value);

/** The address's choice becomes an option even before, or without, the list that it belongs to. */
function recall() {
  const q = new URLSearchParams(location.search);
  for (const name of names) {
    const field = form.elements[name];
    const value = q.get(name) || "";
    if (value && field.tagName === "SELECT" && ![...field.options].some((o) => o.value === value)) {
      if (name === "state") continue;
      field.append(h("option", { value }, value));
    }
    field.value = value;
  }
}

async function fill() {
  try {
    const { webhooks, emailEndpoints, alerts } = await ask("{ webhooks { id url } emailEndpoints { id address } alerts(limit: 200) { alerts { id name label } } }");
    const options = (field, all, text) => {
      for (const x of all) {
        const there = [...field.options].find((o) => o.value === x.id);
        if (there) there.textContent = text(x);
        else field.append(h("option", { value: x.id }, text(x)));
      }
    };
    options(form.elements.webhook, webhooks, (w) => w.url);
    options(form.elements.webhook, emailEndpoints, (e) => e.address);
    options(form.elements.alert, alerts.alerts, (a) => (a.label ? a.name + " (" + a.label + ")" : a.name));
  } catch {
    // the list below says what is wrong
  }
}

recall();
fill();
const list = liveList(byId("deliveries"), filter(), {
  running: () => !paused,
  onNew: (d) => { byId("news").textContent = t("New delivery: {d}, {d2}", { d: subject(d), d2: what(d) }); },
  none: () => (narrowed() ? empty(t("Nothing like this"), t("No delivery fits all of these. Take a filter away."))
    : empty(t("Nothing was sent yet"), t("Once an alert finds somebody, each of your webhooks and e-mail addresses is sent the event, and the delivery appears here."))),
});
form.addEventListener("change", () => {
  remember();
  list.narrow(filter());
});
form.addEventListener("submit", (e) => e.preventDefault());
pause.addEventListener("click", () => {
  paused = !paused;
  pause.setAttribute("aria-pressed", String(paused));
  pause.textContent = paused ? t("Resume updates") : t("Pause updates");
});
