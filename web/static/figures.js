// The figures of pages that the service writes: those parts of the page are read again (fresh.js), and its forms are left alone.
import { one } from "./dom.js";
import { refreshing, replace } from "./fresh.js";
import { t } from "./words.js";

refreshing(async () => {
  const answer = await fetch(one("[data-refresh]").dataset.refresh, {
    headers: { Accept: "text/html" },
    cache: "no-store",
  }).catch(() => {
    throw new Error(t("The service cannot be reached at the moment."));
  });
  if (answer.redirected) return location.assign(answer.url); // the session has ended
  if (!answer.ok) throw new Error(t("The service answered {status}.", { status: answer.status }));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-figures]"))) {
    const now = page.querySelector('[data-figures="' + part.dataset.figures + '"]');
    if (now) replace(part, ...document.importNode(now, true).childNodes);
  }
});
