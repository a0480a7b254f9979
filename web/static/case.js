// The page of a court case: what it is, its hearings and outcomes, and who the defendant probably is.
import { h, byId, card, facts, line, outside } from "./dom.js";
import { ask } from "./api.js";
import { asWritten, calmName, calmTerm } from "./casing.js";
import { date, money, word } from "./format.js";
import { hearings } from "./hearings.js";
import { timeline, historyFields } from "./history.js";
import { bookingFields, bookingLink, offenderLink, family, picture } from "./links.js";
import { status, time, freshness, programs, everything, head, load, watch } from "./parts.js";
import { t } from "./words.js";

const query = `query Case($id: ID!) {
  node(id: $id) { ... on CourtCase {
    id caseNumber defendant offense courtType county { slug name } filedDate filedDateInferred bailAmount status judge nextHearing hearingLink
    hearings { date time judge location zoomLink }
    dispositions { date outcome sentence }
    people { confidence reasons rosterRecord { ${bookingFields} } correctionsRecord { gdcId name dob birthYear category institution status sentence } }
    scheduleAsOf scheduleLate source { title state lagSeconds note } firstSeen lastChange ${historyFields}
  } }
  calendarFeeds { id caseId createdAt revokedAt }
}`;

const article = byId("record");
const id = article.dataset.id;

function dispositions(c) {
  return card(t("Dispositions"), c.dispositions.length
    ? h("ol", { class: "timeline" }, c.dispositions.map((d) => h("li", null, h("b", null, asWritten(d.outcome)), h("p", { class: "small quiet" }, line([date(d.date), d.sentence && asWritten(d.sentence, calmTerm)])))))
    : h("p", { class: "quiet" }, c.status === "CLOSED" ? t("The court says closed, but published no outcome.") : t("None yet.")));
}

const person = (c) => picture(c.defendant, t("Neither a booking nor a state corrections record is linked to this case."),
  family(t("County bookings"), c.people.filter((l) => l.rosterRecord).map((l) => bookingLink(l.rosterRecord, l.confidence, l.reasons))),
  family(t("State corrections"), c.people.filter((l) => l.correctionsRecord).map((l) => offenderLink(l.correctionsRecord, l.confidence, l.reasons))));

function late(c) {
  if (!c.scheduleLate) return h("p", { class: "hint" }, t("Clerk offices can be up to 24 hours behind."));
  return h("p", { class: "note warn small" }, c.scheduleAsOf ? [t("Hearings and outcomes are those of") + " ", time(c.scheduleAsOf), ", " + t("and clerk offices can be a day behind. Ask the court before you rely on them.")] : t("This court was never read well. Ask the court before you rely on this."));
}

load(article, async () => {
  const data = await ask(query, { id });
  return data.node && data.node.caseNumber ? data : null;
}, ({ node: c, calendarFeeds }) => {
  const feeds = calendarFeeds.filter((f) => !f.revokedAt && f.caseId === c.id);
  return [
    head({
      name: c.defendant, chip: status(c.status), line: [c.caseNumber, " · ", asWritten(c.offense)],
      facts: [
        [t("Next hearing"), c.nextHearing ? [time(c.nextHearing), c.hearingLink ? [" · ", outside(c.hearingLink, t("virtual"))] : null] : t("none scheduled")],
        [t("Bail"), c.bailAmount === null ? t("none set") : money(c.bailAmount)], [t("Judge"), c.judge ? asWritten(c.judge, calmName) : t("not assigned")]],
      actions: [everything(c.id), watch(c.defendant), programs("GET /v1/courts/" + encodeURIComponent(c.caseNumber), "showCourtCase")],
    }),
    freshness(c, late(c)),
    h("div", { class: "columns" },
      h("div", { class: "stack" }, hearings(c, feeds), dispositions(c), person(c)),
      h("div", { class: "side" }, card(t("The case"), facts([
        [t("Court"), t("{courtType} court", { courtType: word(c.courtType) })], [t("County"), h("a", { href: "/counties/" + c.county.slug }, c.county.name)], [c.filedDateInferred ? t("Known since") : t("Filed"), date(c.filedDate)],
        [t("Case number"), h("code", null, c.caseNumber)]])), timeline(c.history, c.firstSeen))),
  ];
});
