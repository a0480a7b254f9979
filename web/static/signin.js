// Sign-in with a passkey, where the browser has them: by the button, or by choosing one where the e-mail is typed. The form
// works without this.
import { supported, post, refusal, use } from "./passkey.js";
import { one } from "./dom.js";
import { arriving } from "./kept.js";
import { t } from "./words.js";

arriving();

const box = document.getElementById("passkey");
const renewed = 4 * 60000; // ms; what a device has to sign is good for five minutes
let offer = null; // ends the offer beside the e-mail: a browser asks its devices for one thing at a time

async function arrive(asked, options) {
  const credential = await use(asked, options);
  const { to } = await post("/sign-in/passkey", { next: /** @type {HTMLInputElement} */ (document.querySelector("[name=next]")).value, credential });
  location.assign(to);
}

/** Lets the browser offer passkeys among what it fills in. Nothing is said unless the reader chose one that is refused. */
async function autofill(said) {
  const able = PublicKeyCredential.isConditionalMediationAvailable;
  if (!able || !(await able.call(PublicKeyCredential).catch(() => false))) return;
  const mine = (offer = new AbortController());
  const asked = await post("/sign-in/passkey/begin").catch(() => null);
  if (!asked || mine.signal.aborted) return;
  const timer = setTimeout(() => {
    mine.abort();
    autofill(said);
  }, renewed);
  try {
    await arrive(asked, { mediation: "conditional", signal: mine.signal });
  } catch (err) {
    if (err.name !== "AbortError" && err.name !== "NotAllowedError") said.textContent = refusal(err);
  } finally {
    clearTimeout(timer);
  }
}

if (box && supported()) {
  const button = one("button", box);
  const said = one("[role=status]", box);
  box.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    said.textContent = t("Your device asks for your confirmation.");
    if (offer) offer.abort();
    try {
      await arrive(await post("/sign-in/passkey/begin"));
    } catch (err) {
      said.textContent = refusal(err);
      button.disabled = false;
      autofill(said);
    }
  });
  autofill(said);
}
