// Creates a watcher. What it would have found in the last 30 days is shown as the reader types, and has to be there before
// anything is stored.
import { h, byId, show, list, empty } from "./dom.js";
import { ask, gql, token } from "./api.js";
import { plural } from "./format.js";
import { hit, hitFields } from "./hits.js";
import { keep, forget } from "./kept.js";
import { blame, mistake, whyNot } from "./mistakes.js";
import { uncovered, year } from "./outlook.js";
import { correct, fieldOf, oneWord, whom } from "./whom.js";
import { t } from "./words.js";
/** @import { DataOf, VariablesOf } from "../gql" */

const wait = 450; // ms after the last key
const still = 900; // ms after a preview: its year takes seconds, so it is counted once the reader stops typing
const previewQuery = gql(
  `query Preview($name: String!, $words: String!, $county: String, $level: MatchLevel, $dob: Date, $birthYear: Int, $age: Int) {
    previewAlert(name: $name, county: $county, level: $level, dob: $dob, birthYear: $birthYear, age: $age, days: 30) {
      expectedPer30Days people copyOf { id name } hits { ...Hit }
    }
    alerts(name: $words, limit: 100) { alerts { id name label county { slug name } } }
  }`,
  [hitFields],
);
const createQuery = gql("mutation Create($input: CreateAlertInput!) { createAlert(input: $input) { id } }");
const shown = 10;
const few = 3; // bookings in 30 days that nobody need look at before an alert is created
const again = 4000; // ms until the next try when the service was not reached

const form = byId("form");
const box = byId("preview");
const said = byId("said");
const heard = byId("preview-said");
const brief = byId("preview-brief"); // the same beside the name, where the preview is out of sight
let running = null;
let timer = 0;
let yearly = 0;
let seen = ""; // the question whose preview is shown
let many = ""; // how many people it found, where a reader should look at them first
let copied = null; // the alert of the account that asks for the same
let anyway = false; // the reader was told of it
let sent = { text: "", once: "" }; // what was asked to be made last: asked again, as when no answer came, it is made once

/** What to watch, as typed. */
const watched = async () => ({ ...(await whom(form)), level: form.elements.level.value });

/** Says what is wrong at the field that it is about, else above the buttons, and marks the field; without an error nothing is. */
function complain(err, creating = false) {
  const field = blame(form, err && fieldOf(err), said.id);
  if (field) (field.closest("fieldset, .inline") || field).after(said);
  else byId("create").parentElement.before(said);
  show(said, err ? [creating ? t("Not created.") + " " : null, whyNot(err)] : null);
  said.hidden = !err;
  return field;
}

/** The same when an alert is to be created: the field gets the keyboard, and it and the message come into view. */
function refuse(err) {
  complain(err, true)?.focus();
  said.scrollIntoView({ block: "nearest" });
}

/** Shows no preview, until the name is typed or what is wrong is corrected. */
function welcome(err) {
  seen = brief.textContent = heard.textContent = "";
  byId("already").hidden = true;
  if (err && form.elements.name.value.trim()) {
    show(byId("year"), h("p", { class: "small quiet" }, correct(err)));
    show(box, empty(t("No preview yet"), err.alone ? err.message : correct(err)));
    return;
  }
  show(byId("year"), h("p", { class: "small quiet" }, t("Type a name to see how many bookings it would find in a year, and how to find fewer.")));
  show(box, empty(t("No preview yet"), t("Type a name to see who it would have found in the last 30 days.")));
}

/** Shows the preview of what is typed; false when there is none. For who wants to create it, why not stands at the field too. */
async function preview(creating) {
  clearTimeout(timer);
  clearTimeout(yearly);
  if (running) running.abort();
  const mine = (running = new AbortController());
  box.classList.add("loading");
  box.setAttribute("aria-busy", "true");
  try {
    const asked = await watched();
    if (mine !== running) return false;
    const { previewAlert: p, alerts } = await ask(previewQuery, { ...asked, words: wordsOf(asked.name) }, { signal: mine.signal });
    if (mine !== running) return false;
    render(p, asked);
    copied = p.copyOf;
    watchedAlready(alerts.alerts.filter((a) => (copied ? a.id === copied.id : !asked.county || !a.county || a.county.slug === asked.county)));
    const county = asked.county ? form.county.selectedOptions[0].dataset.name : "";
    yearly = setTimeout(year, still, byId("year"), asked, county, mine.signal);
    seen = JSON.stringify(asked);
    return true;
  } catch (err) {
    if (err.name === "AbortError" || mine !== running) return false;
    welcome(err);
    if (creating && err.field) refuse(err);
    else if (fieldOf(err) === "born") complain(err);
    if (err.field) return false;
    show(box, h("p", { class: "note bad" }, err.message));
    heard.textContent = err.message;
    if (err.code === "OFFLINE" || err.offline) timer = setTimeout(preview, again);
    return false;
  } finally {
    if (mine === running) {
      box.classList.remove("loading");
      box.removeAttribute("aria-busy");
    }
  }
}

/** The words of a name, as the search among one's own alerts takes them: eight at most. */
const wordsOf = (name) => (name.match(/[\p{L}\p{M}\p{N}’'-]+/gu) || [name]).slice(0, 8).join(" ");

const named = 3; // alerts on a name that are named

/**
 * Names the alerts that the account has on this name already, where the new one would watch; or the one that asks for the same.
 * @param {DataOf<typeof previewQuery>["alerts"]["alerts"]} alerts
 */
function watchedAlready(alerts) {
  const box = byId("already");
  box.hidden = !alerts.length;
  show(
    box,
    alerts.length
      ? [
          alreadyOn() + " ",
          alerts
            .slice(0, named)
            .map((a, i) => [
              i ? ", " : null,
              h("a", { href: "/alerts/" + encodeURIComponent(a.id) }, a.name),
              " (" + (a.county ? t("{name} County", { name: a.county.name }) : t("all of Georgia")) + (a.label ? ", " + a.label : "") + ")",
            ]),
          alerts.length > named ? " " + t("and {v} more", { v: alerts.length - named }) : null,
          ".",
        ]
      : null,
  );
}

/** What alerts that there are already have in common with the new one. */
function alreadyOn() {
  if (copied) return t("You already have this alert:");
  return oneWord(form.elements.name.value.trim()) ? t("You already have alerts with this last name:") : t("You already have alerts with this name:");
}

/** Asks at the button whether a copy is meant; the next press creates it. */
function askAnyway() {
  anyway = true;
  complain();
  byId("create").textContent = t("Create anyway");
  show(
    said,
    t("You already have this alert:") + " ",
    h("a", { href: "/alerts/" + encodeURIComponent(copied.id) }, copied.name),
    ". " + t("A second one would report each match twice."),
  );
  said.hidden = false;
}

/** Takes the question back: something else is typed. */
function askedNothing() {
  anyway = false;
  byId("create").textContent = t("Create alert");
}

/**
 * @param {DataOf<typeof previewQuery>["previewAlert"]} p
 * @param {Awaited<ReturnType<typeof watched>>} asked
 */
function render(p, asked) {
  const people = t("{people person|people}", { people: p.people });
  many = p.expectedPer30Days > few ? people : "";
  const namesakes = p.people > 1 && !asked.dob && !asked.birthYear && !asked.age;
  brief.textContent = p.hits.length ? t("{people} in the last 30 days, see below", { people }) : t("no one booked in the last 30 days");
  if (!p.hits.length && asked.county && "uncovered" in form.county.selectedOptions[0].dataset) {
    brief.textContent = t("not covered");
    heard.textContent = "";
    show(box, empty(t("No preview"), t("We don’t cover the jail of this county.")));
    return;
  }
  if (!p.hits.length) {
    heard.textContent = t("No matching bookings in the last 30 days.");
    show(
      box,
      empty(
        t("No matching bookings in the last 30 days"),
        t("This is normal. Releases and bond changes are not in the preview. The alert will report new matches.") +
          (asked.level === "WIDE" ? "" : " " + t("If the name may be spelled differently, choose wide.")),
      ),
    );
    return;
  }
  heard.textContent = t("This alert would have found {people}.", { people }) + (namesakes ? " " + t("Add a birth date or year to tell them apart.") : "");
  show(
    box,
    h(
      "p",
      { class: "expect" },
      h("b", { class: "num" }, String(p.expectedPer30Days)),
      " ",
      t("{v} of {people} in 30 days", { v: p.expectedPer30Days === 1 ? t("booking") : t("bookings"), people }),
    ),
    namesakes
      ? h("p", { class: "note warn small" }, t("The alert would report each of these {people}. Add a birth date or year to tell them apart.", { people }))
      : null,
    p.expectedPer30Days > 20 ? h("p", { class: "note warn small" }, t("To find fewer, add a birth date or a county, or choose strict.")) : null,
    list(p.hits.slice(0, shown).map((x) => hit(x))),
    p.hits.length > shown ? h("p", { class: "small quiet" }, t("and {v} more", { v: p.hits.length - shown })) : null,
  );
}

/** Says beside the county that nobody would be found in it, and offers the whole state. */
function cover() {
  const chosen = form.county.selectedOptions[0],
    open = "uncovered" in chosen.dataset;
  byId("uncovered").hidden = !open;
  show(
    byId("uncovered"),
    open
      ? [
          uncovered(chosen.dataset.name),
          " ",
          h(
            "button",
            {
              type: "button",
              class: "small-button",
              click: () => {
                form.county.value = "";
                cover();
                form.county.focus();
                preview();
              },
            },
            t("Watch all of Georgia"),
          ),
        ]
      : null,
  );
}

form.addEventListener("input", (e) => {
  if (!["name", "born", "level", "county"].includes(e.target.name)) return;
  complain();
  askedNothing();
  if (e.target.name === "county") cover();
  clearTimeout(timer);
  timer = setTimeout(preview, e.target.name === "level" || e.target.name === "county" ? 0 : wait);
});

addEventListener("online", () => {
  if (!seen) preview();
});
form.addEventListener("submit", async (e) => {
  e.preventDefault();
  complain();
  const data = new FormData(form);
  try {
    const asked = await watched();
    const events = /** @type {VariablesOf<typeof createQuery>["input"]["events"] & {}} */ (data.getAll("events"));
    if (!events.length) throw mistake("events", t("Choose at least one kind of event."));
    if (seen !== JSON.stringify(asked)) {
      // first look, then create: a click before the preview stands waits for it
      if (!(await preview(true))) return;
      if (many) {
        show(said, t("This alert would have found {many} in the last 30 days. Check them in the preview, then select Create alert again.", { many }));
        said.hidden = false;
        byId("preview-head").focus();
        return;
      }
    }
    if (copied && !anyway) return askAnyway();
    clearTimeout(yearly); // the reader has decided; a question that finds the session ended would leave the page
    byId("create").disabled = true;
    const input = { ...asked, events, label: String(data.get("label")).trim() || null, note: String(data.get("note")).trim() || null };
    const text = JSON.stringify(input);
    if (sent.text !== text) sent = { text, once: token() };
    const { createAlert: a } = await ask(createQuery, { input }, { once: sent.once });
    forget();
    location.assign("/alerts/" + encodeURIComponent(a.id) + "?done=created");
  } catch (err) {
    byId("create").disabled = false;
    refuse(err);
  }
});

// Filters of a search that an alert cannot hold, by their words in the address.
const unheld = {
  number: "numbers",
  status: "status",
  charge: "charge",
  severity: "severity",
  agency: "agency",
  bond: "bond",
  age: "age",
  booked: t("days of booking"),
  released: t("days of release"),
};

/** Says what was taken over from a search, and what was left out. */
function carried(given) {
  const held = [
    ["name", "name"],
    ["county", "county"],
    ["born", "birth"],
  ]
    .filter(([name]) => given.has(name))
    .map(([, text]) => text);
  const left = given
    .getAll("left")
    .map((word) => unheld[word])
    .filter(Boolean);
  byId("carried").hidden = false;
  show(
    byId("carried"),
    t("From your search: {v}.", { v: held.join(", ") }),
    left.length ? h("br") : null,
    left.length ? t("Left out, because alerts don’t have these filters: {v}.", { v: left.join(", ") }) : null,
  );
}

welcome();
const given = new URLSearchParams(location.search);
if (!keep(form)) for (const name of ["name", "county"]) if (given.has(name)) form.elements[name].value = given.get(name); // a link from a record
if (given.get("from") === "search") carried(given);
cover();
if (form.elements.name.value) preview(); // a reload keeps what was typed
