// Whether an alert that is being made asks for the same as one that there is: one that is watched twice is reported twice.

const marks = /[\u0300-\u036f'’]/g;

/** The words of a name without accents, capitals and marks, in no order: jails and readers write the surname first or last. */
const words = (name) =>
  name
    .normalize("NFKD")
    .replace(marks, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .sort()
    .join(" ");

/** What is known of a birth. An age is that of a year, as the alert may have been made on another day. */
function born({ dob, birthYear, age, ageOn }) {
  if (dob || birthYear) return String(dob || birthYear);
  return age ? "about " + ((ageOn ? Number(ageOn.slice(0, 4)) : new Date().getFullYear()) - age) : "";
}

/** Reports whether an alert of the account is for the same name, county, birth and level as what is asked. */
export const same = (alert, asked) =>
  words(alert.name) === words(asked.name) &&
  (alert.county ? alert.county.slug : null) === asked.county &&
  alert.level === asked.level &&
  born(alert) === born(asked);
