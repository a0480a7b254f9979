// Whom an alert watches for, as the form of a new alert and the count of a year take it: a name, a county, and what is known of the birth
// in one field, as a date, a year or an age.
import { mistake } from "./mistakes.js";
import { today } from "./format.js";
import { t } from "./words.js";

const isDay = (text) => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);

/** What a text says of a birth. Throws a sentence for the reader, with the field that it is about. */
function birth(text) {
  const years = /^(?:age\s+)?(\d{1,3})$/i.exec(text);
  if (years) {
    const age = Number(years[1]);
    if (age < 1 || age > 120) throw mistake("born", t("Type an age from 1 to 120."));
    return { dob: null, birthYear: null, age };
  }
  if (text && !/^\d{4}(-\d\d-\d\d)?$/.test(text)) throw mistake("born", t("Write a birth date as 1986-02-03, or only the year, or an age such as 34."));
  if (text.length === 10 && !isDay(text)) throw mistake("born", t("There is no day {text}: write a birth date as 1986-02-03, the year first.", { text }));
  if (text && (text < "1900" || text.slice(0, 4) > today.slice(0, 4))) throw mistake("born", t("Type a birth year from 1900 to this year."));
  if (text.length === 10 && text > today) throw mistake("born", t("The birth date cannot be in the future."));
  return { dob: text.length === 10 ? text : null, birthYear: text.length === 4 ? Number(text) : null, age: null };
}

/** Whom a form says, as the API takes it. Throws a sentence for the reader, with the field that it is about. An alert that is old
 *  may have had a single word for its name before that was refused. */
export function whom(form, old) {
  const name = form.elements.name.value.trim();
  if (!/\p{L}/u.test(name) || [...name].length < 2) throw mistake("name", t("Type a name of at least two characters, one of them a letter."));
  const born = birth(form.elements.born.value.trim()),
    county = form.elements.county.value || null;
  if (name !== old?.name && !/\S[\s,/]+\S/.test(name) && !county && !form.elements.born.value.trim()) {
    throw Object.assign(
      mistake("name", t("One word is read as a last name, and matches everyone who has it. Add a first name, a county, or when the person was born.")),
      { alone: true },
    );
  }
  return { name, county, ...born };
}

/** The field of a mistake that the API finds, by what it says it is about. */
export const fieldOf = (err) => ({ dob: "born", birthYear: "born", age: "born", ageOn: "born" })[err.field] || err.field;
