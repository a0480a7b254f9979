// Says of a hit on a live page whether it is the person, without leaving the page, as the inbox does.
import { ask, gql } from "./api.js";
import { h, show } from "./dom.js";
import { whyNot } from "./mistakes.js";
import { t } from "./words.js";
/** @import { DataOf } from "../gql" */

/** The fields of a hit that its buttons need. */
export const answerFields = gql("fragment Answered on AlertHit { id version state record { dob birthYear } }");

const answerQuery = gql(
  `mutation Answer($id: ID!, $verdict: Verdict!, $version: String) {
    giveFeedback(hitId: $id, verdict: $verdict, ifVersion: $version) { ...Answered }
  }`,
  [answerFields],
);

/**
 * The buttons of a hit. Where somebody answered it meanwhile, nothing is changed, and the reader is told.
 * @param {DataOf<typeof answerFields>} hit
 * @param {string} name of the person, for those who do not see the page
 * @param {(text: string) => void} said is told what was done
 */
export function answers(hit, name, said) {
  const box = h("span", { class: "bar off-paper" });
  const button = (text, verdict, done) =>
    h("button", { type: "button", class: "small-button", click: () => send(verdict, done) }, text, h("span", { class: "visually-hidden" }, " " + name));

  const never = () =>
    hit.record.dob || hit.record.birthYear ? t("This alert won’t report this person again.") : t("This alert won’t report this booking again.");

  function draw() {
    const answered = hit.state === "CONFIRMED" || hit.state === "DISMISSED";
    show(
      box,
      answered
        ? [
            h("span", { class: "small" }, hit.state === "CONFIRMED" ? t("Confirmed.") : t("Not them.") + " " + never()),
            button(t("Undo"), "UNSURE", t("Answer undone: {name}", { name })),
          ]
        : [
            button(t("Confirm"), "CONFIRM", t("Confirmed: {name}. The alert goes on as before.", { name })),
            button(t("Not them"), "DISMISS", t("Not them: {name}.", { name }) + " " + never()),
          ],
    );
  }

  async function send(verdict, done) {
    for (const one of box.querySelectorAll("button")) one.disabled = true;
    try {
      hit = (await ask(answerQuery, { id: hit.id, verdict, version: hit.version })).giveFeedback;
      said(done);
      draw();
      box.querySelector("button").focus();
    } catch (err) {
      draw();
      box.append(h("span", { class: "small", role: "alert" }, whyNot(err)));
    }
  }

  draw();
  return box;
}
