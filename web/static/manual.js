// The manual: what is typed is looked for in a small index of operations, parameters and headings. Arrow keys go through what is
// found. Without this the form leads to a plain list.
import { h, byId, show } from "./dom.js";
import { t } from "./words.js";

const most = 12; // of what is found

const form = byId("manual-find");
const input = byId("manual-q");
const found = byId("manual-found");
let index = null;

async function load() {
  index ??= fetch("/docs/index.json", { credentials: "omit" })
    .then((answer) => (answer.ok ? answer.json() : []))
    .catch(() => []);
  return index;
}

/** How well an entry fits: lower is better. */
function rank(entry, words) {
  const title = entry.title.toLowerCase();
  if (title === words[0] || title === "/" + words[0]) return 0;
  return (title.includes(words[0]) ? 1 : 3) + (entry.kind === "operation" || entry.kind === "heading" ? 0 : 1);
}

async function search() {
  const words = input.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return show(found);
  const all = await load();
  const hits = all
    .filter((e) => words.every((w) => [e.method, e.title, e.text, e.group].join(" ").toLowerCase().includes(w)))
    .map((entry, at) => ({ entry, at, rank: rank(entry, words) }))
    .sort((a, b) => a.rank - b.rank || a.at - b.at);
  show(
    found,
    h("p", { class: "visually-hidden", role: "status" }, t("{length} found", { length: hits.length })),
    hits.length
      ? h(
          "ul",
          null,
          hits
            .slice(0, most)
            .map(({ entry }) =>
              h(
                "li",
                null,
                h(
                  "a",
                  { href: entry.address },
                  entry.method ? h("b", { class: "verb " + entry.method }, entry.method) : null,
                  entry.method ? " " : null,
                  entry.title,
                  h("span", { class: "small quiet" }, " " + entry.text),
                ),
              ),
            ),
        )
      : h("p", { class: "small quiet" }, t("Nothing found. Press Enter to search the full text.")),
  );
}

input.addEventListener("focus", load, { once: true });
input.addEventListener("input", search);
form.addEventListener("keydown", (e) => {
  const links = [...found.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement);
  if (e.key === "Escape") {
    show(found);
    input.focus();
  } else if (e.key === "ArrowDown" && links.length) {
    e.preventDefault();
    links[Math.min(at + 1, links.length - 1)].focus();
  } else if (e.key === "ArrowUp" && at >= 0) {
    e.preventDefault();
    (links[at - 1] || input).focus();
  }
});
form.addEventListener("click", (e) => e.target.closest("#manual-found a") && show(found));

// An address of the one page that the reference was before leads on to the operation.
if (byId("manual-index") && location.hash.length > 1) {
  const link = byId(decodeURIComponent(location.hash.slice(1)))?.querySelector("a");
  if (link) location.replace(link.href);
}
