// What modules say, in the language of the page. t("...") marks a message: its English text is its name, so English needs no
// catalogue. The page of another language loads the module words.CODE.js first, which the service makes of web/words and which
// calls learn.

const code = globalThis.document?.documentElement.lang || "en";
/** How numbers and days are written: as people in Georgia write them who read this language. */
export const locale = code + "-US";

const known = new Map();
const made = []; // what a text with values looks like when it has them, and what it says
const number = new Intl.NumberFormat(locale);
const rules = new Intl.PluralRules(locale);

/** Takes the messages of the page's language, by their English text. */
export function learn(texts) {
  for (const [text, translation] of Object.entries(texts)) {
    known.set(text, translation);
    if (/\{\d\}/.test(text)) made.push([new RegExp("^" + text.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\d\}/g, "(.+?)") + "$"), translation]);
  }
}

/** A phrase of the service that is in English for programs, such as a reason: by itself, or behind a name and a colon. */
function phrase(english) {
  if (known.has(english)) return known.get(english);
  for (const [looks, translation] of made) {
    const found = looks.exec(english);
    if (found) return translation.replace(/\{(\d)\}/g, (_, n) => found[n]);
  }
  const colon = english.indexOf(": ");
  return colon < 0 ? english : english.slice(0, colon + 2) + phrase(english.slice(colon + 2));
}

/** What the service says in English to programs too, in the page's language (words.Said). */
export const said = (english) => (known.size ? english.split("; ").map(phrase).join("; ") : english);

const written = (value) => (typeof value === "number" ? number.format(value) : String(value ?? ""));

/**
 * A message in the page's language. "{name}" is the place of a value, "{n hit|hits}" that of a number with what it counts, and
 * "{n|is|are}" that of a word which depends on a number. What the catalogue lacks stays English.
 * @param {string} text
 * @param {Record<string, unknown>} [values]
 */
export function t(text, values = {}) {
  return (known.get(text) ?? text).replace(/\{(\w+)(?:([ |])([^{}|]*)\|([^{}|]*))?\}/g, (_, name, kind, one, many) => {
    const value = values[name];
    if (!kind) return written(value);
    const form = rules.select(Number(value)) === "one" ? one : many;
    return kind === " " ? written(value) + " " + form : form;
  });
}
