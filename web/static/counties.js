// The list of counties: those with a source of their own, with its state.
import { h, byId, show, list, empty } from "./dom.js";
import { ask, gql } from "./api.js";
import { refreshing, replace } from "./fresh.js";
import { failure, cells, inUse, sourceState, readAgo } from "./parts.js";
import { t } from "./words.js";

const query = gql("query Sources { sources { title kind enabled state lagSeconds county { slug name } coverage { slug name } } }");
const box = byId("covered-list");

/** The lines of the list, as they are now. */
async function read() {
  const { sources } = await ask(query);
  const all = sources.filter((s) => s.kind === "roster").flatMap((s) => (s.county ? [s.county] : s.coverage).map((county) => ({ ...s, county })));
  const own = all.filter((s) => inUse(all.filter((o) => o.county.slug === s.county.slug)).includes(s)).sort((a, b) => (a.county.name < b.county.name ? -1 : 1));
  return own.length
    ? list(
        own.map((s) => [
          h("h3", null, h("a", { href: "/counties/" + s.county.slug }, s.county.name)),
          cells([s.title, [s.lagSeconds === null ? null : t("read") + " ", readAgo(s)]]),
          sourceState(s.state),
        ]),
        "list rows",
      )
    : empty(t("No county has a source yet"), t("Operators enable sources with the command line."));
}

async function run() {
  try {
    show(box, await read());
  } catch (err) {
    show(box, failure(err, run));
  }
}

run();
refreshing(async () => replace(box, await read()));
