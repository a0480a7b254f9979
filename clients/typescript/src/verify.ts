import type { components } from "./openapi.js";

type Schemas = components["schemas"];

/** What a webhook delivers. `event` says which it is; bodies of version 1 have no `version`. */
export type Event = Schemas["EventV1"] | Schemas["EventV2"] | Schemas["Retraction"] | Schemas["SealedNotice"] | Schemas["SourceNotice"];

/** A verified delivery. */
export interface Delivery {
  /** Id of the event (webhook-id). A delivery may come twice with one id. */
  id: string;
  event: Event;
  /** Whether it is a test delivery, whose record is invented. */
  test: boolean;
}

/** How deliveries are verified. */
export interface VerifyOptions {
  /** The account's secrets (whsec_...). While a secret is replaced, list the old and the new one. */
  secrets: string[];
  /** Seconds that webhook-timestamp may be from now, either way; default 300. */
  tolerance?: number;
  /** Now in milliseconds; default: the clock. */
  now?: number;
}

/** Why a delivery is not genuine. */
export class VerifyError extends Error {
  override readonly name = "VerifyError";
  constructor(readonly reason: "unsigned" | "signature" | "timestamp") {
    super({ unsigned: "a signature header is missing or malformed", signature: "no signature was made with a known secret over these bytes", timestamp: "webhook-timestamp is too far from now" }[reason]);
  }
}

/** Headers of a request: of fetch, or an object as Node has it. */
export type HeadersLike = Headers | Record<string, string | string[] | undefined>;

/**
 * Checks the Standard Webhooks headers over the raw body and reads the event. The signature covers id, time and body.
 * Throws VerifyError. body has to be the bytes as they came: parsing and serialising again changes them.
 */
export async function verify(headers: HeadersLike, body: Uint8Array, o: VerifyOptions): Promise<Delivery> {
  await verifyStandard(headers, body, o);
  return { id: header(headers, "webhook-id"), event: JSON.parse(new TextDecoder().decode(body)) as Event, test: header(headers, "x-service-test") === "1" };
}

/** Checks the Standard Webhooks headers. Throws VerifyError. */
export async function verifyStandard(headers: HeadersLike, body: Uint8Array, o: VerifyOptions): Promise<void> {
  const [id, stamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => header(headers, name)) as [string, string, string];
  if (!id || !signatures || !/^\d{1,15}$/.test(stamp)) throw new VerifyError("unsigned");
  const signed = concat(new TextEncoder().encode(`${id}.${stamp}.`), body);
  const given = signatures.split(" ").filter((s) => s.startsWith("v1,")).map((s) => base64(s.slice(3)));
  let matched = false;
  for (const secret of o.secrets) {
    const raw = base64(secret.replace(/^whsec_/, ""));
    if (raw.length === 0) throw new Error("a secret is not whsec_ and base64, as the account settings show it");
    for (const signature of given) matched = (await holds(raw, signature, signed)) || matched;
  }
  if (!matched) throw new VerifyError("signature");
  if (Math.abs(Math.floor((o.now ?? Date.now()) / 1000) - Number(stamp)) > (o.tolerance ?? 300)) throw new VerifyError("timestamp");
}

/**
 * Checks X-Service-Signature and, while a secret is replaced, X-Service-Signature-Next, alone. That scheme covers no time, so it
 * does not detect a replay: prefer verify. Throws VerifyError.
 */
export async function verifyService(headers: HeadersLike, body: Uint8Array, o: Pick<VerifyOptions, "secrets">): Promise<void> {
  const given = ["x-service-signature", "x-service-signature-next"].map((name) => header(headers, name)).filter((s) => /^[0-9a-f]{64}$/.test(s));
  if (given.length === 0) throw new VerifyError("unsigned");
  let matched = false;
  for (const secret of o.secrets.filter(Boolean)) {
    for (const s of given) {
      const bytes = Uint8Array.from(s.match(/../g) ?? [], (pair) => parseInt(pair, 16));
      matched = (await holds(new TextEncoder().encode(secret), bytes, body)) || matched;
    }
  }
  if (!matched) throw new VerifyError("signature");
}

// holds compares in constant time: WebCrypto's verify does.
async function holds(secret: Uint8Array, signature: Uint8Array, signed: Uint8Array): Promise<boolean> {
  const key = await crypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  return crypto.subtle.verify("HMAC", key, bytes(signature), bytes(signed));
}

// bytes returns a view that WebCrypto's types take.
const bytes = (b: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(b);

function base64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

function header(headers: HeadersLike, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? "";
  const found = Object.entries(headers).find(([n]) => n.toLowerCase() === name)?.[1];
  return (Array.isArray(found) ? found[0] : found) ?? "";
}
