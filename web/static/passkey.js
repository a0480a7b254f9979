// Passkeys: what the service asks of a device, and what the device answers, between JSON and the browser's own types.
import { forReader } from "./api.js";
import { t } from "./words.js";

const toBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const toText = (buffer) =>
  buffer
    ? btoa(String.fromCharCode(...new Uint8Array(buffer)))
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replaceAll("=", "")
    : undefined;
const withBytes = (list) => (list || []).map((c) => ({ ...c, id: toBytes(c.id) }));

export const supported = () => Boolean(window.PublicKeyCredential && navigator.credentials);

/** Asks the service; throws what a reader may be shown. */
export async function post(path, body) {
  let answer;
  try {
    answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json", ...forReader }, body: JSON.stringify(body || {}) });
  } catch {
    throw new Error(t("The service cannot be reached. Check your connection and try again."));
  }
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(told.message || t("The service answered {status}.", { status: answer.status }));
  return told;
}

/** What a device says when it did not, in words. */
export function refusal(err) {
  if (err.name === "InvalidStateError") return t("This device has a passkey for you already.");
  if (err.name === "NotAllowedError") return t("Nothing happened: your device did not confirm in time, or you cancelled.");
  if (err.name === "SecurityError")
    return t("Passkeys work only at the usual address of this service. They do not work at an IP address or at another name of it.");
  return err.message;
}

/** Lets the device make a passkey; returns its answer for the service. */
export async function make({ publicKey: o }) {
  const made = /** @type {any} */ (
    await navigator.credentials.create({
      publicKey: { ...o, challenge: toBytes(o.challenge), user: { ...o.user, id: toBytes(o.user.id) }, excludeCredentials: withBytes(o.excludeCredentials) },
    })
  );
  const r = made.response;
  return {
    id: made.id,
    rawId: toText(made.rawId),
    type: made.type,
    authenticatorAttachment: made.authenticatorAttachment,
    clientExtensionResults: made.getClientExtensionResults(),
    response: {
      clientDataJSON: toText(r.clientDataJSON),
      attestationObject: toText(r.attestationObject),
      transports: r.getTransports ? r.getTransports() : [],
    },
  };
}

/** Lets the device sign with a passkey; returns its answer for the service. options are the browser's, such as its mediation. */
export async function use({ publicKey: o }, options) {
  const used = /** @type {any} */ (
    await navigator.credentials.get({ ...options, publicKey: { ...o, challenge: toBytes(o.challenge), allowCredentials: withBytes(o.allowCredentials) } })
  );
  const r = used.response;
  return {
    id: used.id,
    rawId: toText(used.rawId),
    type: used.type,
    authenticatorAttachment: used.authenticatorAttachment,
    clientExtensionResults: used.getClientExtensionResults(),
    response: {
      clientDataJSON: toText(r.clientDataJSON),
      authenticatorData: toText(r.authenticatorData),
      signature: toText(r.signature),
      userHandle: toText(r.userHandle),
    },
  };
}
