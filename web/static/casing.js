// What jails and courts write in capitals, as people write it. The source's own writing stays in a title, and in the APIs alone.
// web/page/casing.go is the same rule for pages that the service writes; its table of cases holds both to one.
import { h } from "./dom.js";

const abbreviations =
  "AKA ATF ATM ATV BAC CDL CI DEA DFACS DFCS DOC DOT DUI DUID DWI EBT FAA FBI FNU FTA FVA GA GBI GCIC GCSA GPS HIV ICE ID II III IV LNU NCIC OBTS OCGA OD OVI PWI PWID PWITD " +
  "RICO RSAT SUV TPO TVB UIFSA US USA UTV VA VGCSA VI VII VIII VIN VOP VOTPO VUCSA";
const placeNames = "ALABAMA AMERICAN ATLANTA AUGUSTA COLUMBUS FLORIDA GEORGIA MACON SAVANNAH TENNESSEE";
const placeWords = "COUNTY PD SO";
const noPlace = "A ANOTHER ANY BY EACH FOR IN JAIL OF OTHER OTHERS OUT THE THIS TO";
const letterNames = "CLASS COUNT GRADE GROUP LEVEL PART SCHEDULE TABLE TITLE TYPE";
const nameSuffixes = "JR NG SR ST";
const [kept, places, placeEnds, notPlaces, lettered, plainly] = [abbreviations, placeNames, placeWords, noPlace, letterNames, nameSuffixes].map(
  (list) => new Set(list.split(" ")),
);

const runs = /\p{L}[\p{L}\p{M}]*/gu;
const digit = /\p{Nd}/u;
const letters = (word) => [...word].length;
const vowel = (word) => /[AEIOUYÁÀÄÃÉÈÍÓÖÚÜ]/.test(word.toUpperCase());
const capital = (word) => {
  const [first, ...rest] = word;
  return first.toUpperCase() + rest.join("");
};
const named = (word) => word !== "" && !notPlaces.has(word);

/** Replaces the words of a text. A word knows the characters and words beside it, and what stands between two blanks around it. */
function eachRun(text, write) {
  const all = [...text.matchAll(runs)];
  return text.replace(runs, (word, at) => {
    const i = all.findIndex((m) => m.index === at);
    const head = text.slice(0, at),
      tail = text.slice(at + word.length);
    const before = [...head].pop() || "";
    return write({
      word,
      before: /[’`]/.test(before) ? "'" : before,
      after: [...tail][0] || "",
      token: head.match(/\S*$/)[0] + word + tail.match(/^\S*/)[0],
      last: i > 0 ? all[i - 1][0] : "",
      next: i + 1 < all.length ? all[i + 1][0] : "",
      head,
    });
  });
}

function shouted(text) {
  let loud = false;
  for (const token of text.split(/\s+/)) {
    if (digit.test(token) && !/\p{Lu}/u.test(token)) continue;
    for (const [word] of token.matchAll(runs)) {
      if (word.toUpperCase() !== word) return false;
      loud = loud || letters(word) > 1;
    }
  }
  return loud;
}

/** A word within a sentence. */
function inSentence({ word, before, after, token, last, next }) {
  const lower = word.toLowerCase();
  const single = letters(word) === 1;
  if (before === "'" && last && letters(word) < 3) return lower;
  if ((word === "W" && after === "/") || (before === "/" && last === "W" && single)) return lower;
  if (word === "A" && last && next.length > 1 && token === "A" && !lettered.has(last)) return lower;
  if (single || kept.has(word) || !vowel(word)) return word;
  if (word === "SO" && next === "" && named(last)) return word;
  if (
    places.has(word) ||
    (word === "COUNTY" && named(last)) ||
    (placeEnds.has(next) && named(word)) ||
    (word === "BEN" && next === "HILL") ||
    (word === "JEFF" && next === "DAVIS")
  )
    return capital(lower);
  return lower;
}

/** Words in sentence case if they are shouted; abbreviations, single letters and the numbers of statutes stay. */
export function calm(text) {
  if (!text || !shouted(text)) return text;
  let first = true;
  return eachRun(text, (r) => {
    const after = digit.test(r.before);
    if (after || digit.test(r.after) || (letters(r.word) === 1 && digit.test(r.token)))
      return after && /^(?:ST|ND|RD|TH|OZ|GM|GRAMS?|LBS?|MPH)$/.test(r.word) ? r.word.toLowerCase() : r.word;
    const said = inSentence(r);
    const start = first && !/^\d+\s*$/.test(r.head);
    first = false;
    return start ? capital(said) : said;
  });
}

/** A name of a person or place with capitals only where names have them. */
export function calmName(text) {
  if (!text) return text;
  return eachRun(text, ({ word, before }) => {
    const own = before === "'" && word === "S";
    const lower = word.toLowerCase();
    if (word.toUpperCase() !== word || (letters(word) === 1 && !own)) return word;
    if (own) return lower;
    if (plainly.has(word)) return capital(lower);
    if (kept.has(word) || !vowel(word) || (letters(word) === 2 && word[1] === "J")) return word;
    if (lower.startsWith("mc") && letters(word) > 4) return "Mc" + capital(lower.slice(2));
    return capital(lower);
  });
}

/** A text as said, with the source's own writing in its title where that differs. */
export function asWritten(text, say = calm) {
  const said = say(text);
  return said === text ? text : h("span", { title: text }, said);
}
