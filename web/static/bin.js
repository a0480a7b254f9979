// The request bin: what arrived is read again, and a few times by itself after a test.
import "./settings.js";

const link = /** @type {HTMLElement | null} */ (document.querySelector("[data-refresh]"));
if (link && document.querySelector("[data-awaiting]")) {
  for (const wait of [400, 1500, 6000]) setTimeout(() => link.click(), wait);
}
