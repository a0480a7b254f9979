// Whom an alert watches for, as the form of a new alert and the count of a year take it: a name, a county, and what is known of the birth
// in one field, as a date, a year or an age.
import { mistake } from "./mistakes.js";
import { readPage } from "./reading.js";
import { t } from "./words.js";

/** @type {Map<string, Promise<{ dob: string | null, birthYear: number | null, age: number | null }>>} */
const births = new Map(); // by what was typed

/** What a text says of a birth. The service reads it, as that of the search. Throws a sentence for the reader, with the field that it is about. */
async function birth(text) {
  if (!text) return { dob: null, birthYear: null, age: null };
  const page = await readPage("/alerts/new?" + new URLSearchParams({ born: text }), "born");
  if (!page) return new Promise(() => {}); // the page is being left
  const wrong = page.getElementById("problem"),
    { dob, birthYear, years } = page.getElementById("born").dataset;
  if (wrong) throw mistake("born", wrong.textContent.trim());
  return { dob: dob || null, birthYear: Number(birthYear) || null, age: Number(years) || null };
}

/** The same, asked once. */
function birthOf(text) {
  const asked = births.get(text) || birth(text);
  births.set(text, asked);
  asked.catch(() => births.delete(text));
  return asked;
}

/** Whom a form says, as the API takes it. Throws a sentence for the reader, with the field that it is about. An alert that is old
 *  may have had a single word for its name before that was refused. */
export async function whom(form, old) {
  const name = form.elements.name.value.trim();
  if (!/\p{L}/u.test(name) || [...name].length < 2) throw mistake("name", t("Type a name of at least two characters, one of them a letter."));
  const county = form.elements.county.value || null,
    born = form.elements.born.value.trim();
  if (name !== old?.name && oneWord(name) && !county && !born) {
    throw Object.assign(
      mistake("name", t("One word is read as a last name, and matches everyone who has it. Add a first name, a county, or when the person was born.")),
      { alone: true },
    );
  }
  return { name, county, ...(await birthOf(born)) };
}

/** Whether a name is a last name alone. */
export const oneWord = (name) => !/\S[\s,/]+\S/.test(name);

/** The field of a mistake that the API finds, by what it says it is about. */
export const fieldOf = (err) => ({ dob: "born", birthYear: "born", age: "born", ageOn: "born" })[err.field] || err.field;

/** What stands in the place of figures while a field is wrong. */
export const correct = (err) => (fieldOf(err) === "born" ? t("Correct the birth date first.") : t("Correct the name first."));
