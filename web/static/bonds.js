// What jails write about a bond, in plain words. Only the pages say it so: programs get the text as it came.
import { h } from "./dom.js";
import { money } from "./format.js";
import { t } from "./words.js";

// Whether it can be posted follows from the rest, and is said only where nothing else is.
const known = [
  [/\bNO AMOUNT SET\b/, t("no amount set")], [/\bNO BOND\b/, t("no bond")], [/\b(?:NOT|NON|UN)-?BONDABLE\b/, t("no bond")], [/\bDENIED\b/, "denied"],
  [/\bCASH (?:OR|\/) SURETY\b/, t("cash or surety")], [/\bHOLDS\b/, "holds"], [/\bHOLD\b/, "hold"],
];
const amounts = /\b(CASH|SURETY|PROPERTY|FEES?|BOND) ?[:-]? ?\$ ?(\d[\d,]*(?:\.\d\d)?)/g;
const kinds = /\b(CASH|SURETY|PROPERTY)\b/;

/** The words for a text, or "" when a part of it means nothing here: half of what a jail says is worse than its own words. */
export function bondWords(text) {
  let rest = text.toUpperCase().replace(/[*\s]+/g, " ");
  const said = [];
  rest = rest.replace(amounts, (_, kind, sum) => {
    said.push(kind.toLowerCase() + " " + money(Number(sum.replaceAll(",", ""))));
    return " ";
  });
  for (const [pattern, words] of /** @type {[RegExp, string][]} */ (known)) {
    if (!pattern.test(rest)) continue;
    said.push(words);
    rest = rest.replace(pattern, " ");
  }
  const kind = rest.match(kinds);
  if (kind) {
    said.push(kind[0].toLowerCase());
    rest = rest.replace(kinds, " ");
  }
  const ready = rest.match(/\b(?:NOT )?READY\b/);
  if (ready) rest = rest.replace(ready[0], " ");
  if (/[^\s.,;:/-]/.test(rest)) return "";
  return said.join("; ") || (ready ? ready[0].toLowerCase() : "");
}

/** What a charge's bond is: its amount, or what is known in words, with the source's own where they differ. */
export function bond(amount, text) {
  const sum = money(amount);
  if (!text) return sum || "–";
  const words = bondWords(text);
  if (!words || words === text.trim().toLowerCase()) return [sum, h("p", { class: sum ? "small quiet" : null }, words || text)];
  return [sum, h("p", { class: sum ? "small" : null }, words), h("p", { class: "small quiet" }, t("as the source writes it:") + " ", text)];
}
