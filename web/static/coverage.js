// What the answer of a search does not say, because a county is not covered or a source is behind.
import { h } from "./dom.js";
import { readAgo, sourceWords } from "./parts.js";
import { t } from "./words.js";

const stateWords = (s) => [sourceWords[s.state], s.lagSeconds === null || s.lagSeconds >= 60 ? ", " : null, s.lagSeconds === null ? t("never read") : s.lagSeconds < 60 ? null : [t("as of") + " ", readAgo(s)]];

/** What an answer does not say: of a county that nobody reads, or whose jail's source is not current. Nothing while that is not known. */
export function coverage(sources, county) {
  if (!sources) return null;
  const tells = (s) => s.county ? [s.county] : s.coverage;
  if (county.value) {
    const own = sources.filter((s) => tells(s).some((c) => c.slug === county.value));
    const name = t("{name} County", { name: county.selectedOptions[0].dataset.name });
    if (!own.length) return h("p", { class: "note warn" }, t("We don’t cover the {name} jail. No results here doesn’t mean that no one is held there.", { name }));
    return own.filter((s) => s.state !== "OK").map((s) => h("p", { class: "note warn" }, name, ": ", stateWords(s), t(". Recent bookings and releases may be missing.")));
  }
  const behind = sources.filter((s) => s.state !== "OK");
  return behind.length ? h("p", { class: "note warn" }, t("Not current:") + " ", behind.map((s, i) => [i ? "; " : null, tells(s).map((c) => c.name).join(", ") || s.title, " (", stateWords(s), ")"]), ".") : null;
}
