// Asks /graphql with the reader's session: the same interface that programs use with a key.
import { t } from "./words.js";
/** @import { Given, Gql, Operation } from "../gql" */

/** @param {string} name */
const meta = (name) => /** @type {HTMLMetaElement | null} */ (document.querySelector(`meta[name=${name}]`))?.content || "";
const reader = meta("reader");
/** Says whom this page was made for, as somebody else may have signed in in another tab meanwhile; and that a page asks, and no program. */
/** @type {Record<string, string>} */
export const forReader = reader ? { "Rollcall-Reader": reader, "Rollcall-Page": meta("page") } : {};

/** What arguments are called on pages, as in web/page/words.go. */
const spoken = { dob: t("the birth date"), birthYear: t("the year of birth"), ageOn: t("the day of the age") };

/** An error that a reader may be shown. */
export class Refused extends Error {
  constructor(text, code, field) {
    const message = text.replace(/\b(dob|birthYear|ageOn)\b/g, (name) => spoken[name]);
    super(message[0].toUpperCase() + message.slice(1) + (/[.!?)]$/.test(message) ? "" : "."));
    this.code = code;
    this.field = field; // argument that it is about; undefined: none
  }
}

/** A name for something that is to happen once. */
export const token = () => [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

/**
 * The text of an operation or a fragment, followed by the fragments that it uses, each of them once. Its type is inferred from the text.
 * @type {Gql}
 */
export const gql = /** @type {any} */ ((/** @type {string} */ text, /** @type {string[]} */ fragments = []) => [text, ...fragments].join("\n"));

/**
 * The data of an operation; once is the token of a change that may be asked for again and happens only once. Leaves for the sign-in page when the session has ended;
 * a change does not, as what was written or chosen for it stands here only (mistakes.js, whyNot). Nor does a query with stay, which belongs to a form.
 * @template Data, Variables
 * @param {Operation<Data, Variables>} operation
 * @param {Given<Variables>} given
 * @returns {Promise<Data>}
 */
export async function ask(operation, ...given) {
  const [variables, { signal, once, stay } = {}] = given;
  const query = String(operation);
  let answer;
  try {
    answer = await fetch("/graphql", {
      method: "POST",
      signal,
      headers: {
        "Content-Type": "application/json",
        Accept: "application/graphql-response+json, application/json",
        ...forReader,
        ...(once && { "Idempotency-Key": once }),
      },
      body: JSON.stringify({ query, variables }),
    });
  } catch (err) {
    if (err.name === "AbortError") throw err;
    throw new Refused(t("The service cannot be reached at the moment. Try again in a few seconds."), "OFFLINE");
  }
  if (answer.status === 401 && (stay || query.startsWith("mutation"))) {
    throw new Refused(t("Your session has ended; nothing was done."), "UNAUTHORIZED");
  }
  if (answer.status === 401) {
    location.assign("/sign-in?done=ended&next=" + encodeURIComponent(location.pathname + location.search));
    return new Promise(() => {}); // the page is being left
  }
  if (answer.status === 409 && !query.startsWith("mutation")) {
    location.reload(); // as the page of whoever is signed in now
    return new Promise(() => {});
  }
  const body = await answer.json().catch(() => ({}));
  const error = body.errors && body.errors[0];
  if (error) throw new Refused(error.message, error.extensions?.code, error.extensions?.field);
  if (!answer.ok) {
    const wait = answer.headers.get("Retry-After");
    throw new Refused(
      (body.message || t("The service answered {status}", { status: answer.status })) + (wait ? " " + t("(wait {wait} s)", { wait }) : ""),
      body.error,
    );
  }
  return body.data;
}
