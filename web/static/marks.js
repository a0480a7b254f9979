// Shows which parts of a name a query matched, by the service's own rule: words within words, in any order, without regard
// to case, accents and punctuation.
import { h } from "./dom.js";
import { calmName } from "./casing.js";

const fold = (s) => s.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** The words of a query, folded. */
export const wordsOf = (query) => fold(query).replace(/['’`]/g, "").split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** A name as nodes, with what the words match in <mark>; as the source wrote it in its title. */
export function markedName(name, words) {
  const said = calmName(name);
  return said === name ? marked(name, words) : h("span", { title: name }, marked(said, words));
}

/** A text as nodes, with what the words match in <mark>. */
export function marked(text, words) {
  if (!words.length) return [text];
  // Each character of the text beside its folded form, so that a match is found back in the original.
  const chars = [...text];
  let folded = "";
  const origin = [];
  chars.forEach((c, i) => {
    const f = /['’`]/.test(c) ? "" : fold(c);
    for (let k = 0; k < f.length; k++) origin.push(i);
    folded += f;
  });
  const hit = new Array(chars.length).fill(false);
  for (const word of words) {
    const at = folded.indexOf(word);
    if (at < 0) continue;
    for (let k = at; k < at + word.length; k++) hit[origin[k]] = true;
  }
  const out = [];
  let run = "";
  chars.forEach((c, i) => {
    run += c;
    if (i + 1 === chars.length || hit[i + 1] !== hit[i]) {
      out.push(hit[i] ? h("mark", null, run) : run);
      run = "";
    }
  });
  return out;
}
