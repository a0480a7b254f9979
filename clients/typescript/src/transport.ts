import { again, errorOf, retryAfter } from "./error.js";

/** How a client makes requests. */
export interface Options {
  /** Address of the service, ending in /v1. */
  baseUrl: string;
  /** API key (rc_live_...). */
  key: string;
  /** Makes requests; default: the global fetch. */
  fetch?: typeof fetch;
  /** How often a request is made at most; default 4. */
  tries?: number;
  /** Longest Retry-After in seconds that is waited for; default 70. A longer one is thrown at once. */
  patience?: number;
  /** Milliseconds that one try may take, streams excepted; default 30,000. */
  timeout?: number;
}

/** How one call is made. */
export interface Call {
  /** Ends the call, its waits included. */
  signal?: AbortSignal;
  /** Makes a change happen once: for 24 hours the same key gets the same answer. Default: a random one for each call. */
  idempotencyKey?: string;
  /**
   * Changes or deletes only what still has this ETag (`meta.etag`); otherwise the error is "precondition_failed". Such a change
   * is not tried again when its connection breaks, because the second answer could be about the first try: read how it is now.
   */
  ifMatch?: string;
}

/** An answer, read to its end. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** What is sent. */
interface Request {
  method: string;
  url: string;
  body?: string;
  accept?: string;
  once?: boolean;
  ifMatch?: string;
}

/** Makes requests with retries. */
export class Transport {
  readonly base: string;
  readonly graphql: string;
  readonly patience: number;
  private readonly key: string;
  readonly tries: number;
  private readonly timeout: number;
  private readonly ask: typeof fetch;

  constructor(o: Options) {
    this.base = o.baseUrl.replace(/\/$/, "");
    this.graphql = this.base.replace(/\/v1$/, "") + "/graphql";
    this.key = o.key;
    this.ask = o.fetch ?? ((...args) => fetch(...args));
    this.tries = o.tries ?? 4;
    this.patience = o.patience ?? 70;
    this.timeout = o.timeout ?? 30_000;
  }

  /** Makes a call of /v1 and returns the decoded body with the headers. */
  async call<T>(method: string, path: string, body?: unknown, call: Call = {}): Promise<{ value: T; headers: Headers }> {
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const match = call.ifMatch && (method === "PATCH" || method === "DELETE") ? { ifMatch: call.ifMatch } : {};
    const a = await this.send({ method, url: this.base + path, once: method === "POST", ...text, ...match }, call);
    if (a.status >= 300) throw errorOf(a.status, a.headers, a.text);
    return { value: (a.text === "" ? undefined : JSON.parse(a.text)) as T, headers: a.headers };
  }

  /**
   * Makes a request until it has an answer that is worth no repetition. A deletion that is tried again because the answer to an
   * earlier try was lost has happened when the service answers 404.
   */
  async send(r: Request, call: Call): Promise<Answer> {
    const key = r.once ? (call.idempotencyKey ?? crypto.randomUUID()) : "";
    const once = r.method === "PATCH" && r.ifMatch;
    let unsure = false; // an earlier try may have happened
    for (let tried = 1; ; tried++) {
      let wait = backoff(tried);
      try {
        const a = await this.once(r, key, call.signal);
        if (unsure && r.method === "DELETE" && a.status === 404) return { ...a, status: 204, text: "" };
        unsure ||= a.status !== 429;
        wait = retryAfter(a.headers) || wait;
        if (!again(a.status) || tried >= this.tries || wait > this.patience || (unsure && once)) return a;
      } catch (err) {
        call.signal?.throwIfAborted();
        if (tried >= this.tries || once) throw err;
        unsure = true;
      }
      await sleep(wait, call.signal);
    }
  }

  /** Opens a request without a time-out, for a stream. */
  open(r: Request, more: Record<string, string>, signal: AbortSignal): Promise<Response> {
    return this.ask(r.url, { ...this.init(r, ""), headers: { ...this.headers(r, ""), ...more }, signal });
  }

  private async once(r: Request, key: string, signal?: AbortSignal): Promise<Answer> {
    const limit = AbortSignal.timeout(this.timeout);
    const res = await this.ask(r.url, { ...this.init(r, key), signal: signal ? AbortSignal.any([signal, limit]) : limit });
    return { status: res.status, headers: res.headers, text: await res.text() };
  }

  private init(r: Request, key: string): RequestInit {
    // A redirect is never followed, because the key would follow too.
    return { method: r.method, headers: this.headers(r, key), redirect: "error", ...(r.body === undefined ? {} : { body: r.body }) };
  }

  private headers(r: Request, key: string): Record<string, string> {
    return {
      Authorization: `Bearer ${this.key}`,
      Accept: r.accept ?? "application/json",
      ...(r.body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(key ? { "Idempotency-Key": key } : {}),
      ...(r.ifMatch ? { "If-Match": r.ifMatch } : {}),
    };
  }
}

/** Seconds to wait after a try without advice: half a second, doubled with each, up to 30, less up to half of it. */
export function backoff(tried: number): number {
  const most = Math.min(0.5 * 2 ** (tried - 1), 30);
  return most / 2 + (Math.random() * most) / 2;
}

/** Waits, or throws why the signal ended before. */
export function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

