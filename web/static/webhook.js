// The page of one endpoint: its last deliveries are kept up to date, and its figures with them.
import "./settings.js";
import { follow } from "./deliverylist.js";

const figures = (page) => page.querySelector("[data-figures=today]");

follow({
  onRead(page) {
    const shown = figures(document);
    const now = figures(page);
    if (shown.textContent !== now.textContent) shown.replaceWith(document.importNode(now, true));
  },
});
