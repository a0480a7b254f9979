import { RollcallError, again, errorOf, isObject, retryAfter } from "./error.js";
import { type Meta, metaOf } from "./page.js";
import { type Call, type Transport, backoff, sleep } from "./transport.js";

/** Variables of an operation. */
export type Variables = Record<string, unknown>;

/** One event of a subscription. */
export interface Message<T> {
  /** Where to resume: pass it as `after` once the event is dealt with. */
  id: string;
  data: T;
}

/** Milliseconds that a stream may be silent before it counts as broken. The service sends a sign every 15 seconds. */
const silence = 50_000;

/** Asks GraphQL. An answer with errors is thrown, its data with it. */
export async function operate<T>(t: Transport, document: string, variables: Variables, once: boolean, call: Call): Promise<{ data: T; meta: Meta }> {
  const body = JSON.stringify({ query: document, variables });
  const a = await t.send({ method: "POST", url: t.graphql, body, accept: "application/graphql-response+json", once }, call);
  const failed = errorIn(a.text, a.status, a.headers);
  if (failed) throw failed;
  return { data: (JSON.parse(a.text) as { data: T }).data, meta: metaOf(a.headers) };
}

/**
 * Yields the events of a subscription over server-sent events, from the one after an id on. When the connection breaks it
 * connects again and resumes, also after a restart of the service. It ends with the signal, when the service ends it, and
 * with an error of the service. One that is refused with 429, as one too many, is tried as often as a request.
 */
export async function* subscribe<T>(t: Transport, document: string, variables: Variables, after: string, call: Call): AsyncGenerator<Message<T>, void> {
  let last = after;
  let limited = 0;
  for (let failed = 1; ; failed++) {
    const watch = new AbortController();
    const stop = (): void => watch.abort(call.signal?.reason);
    call.signal?.addEventListener("abort", stop, { once: true });
    let wait = backoff(failed);
    try {
      for await (const e of events(t, document, variables, last, watch)) {
        limited = 0;
        if (e.name === "complete") return;
        if (e.name === "next") {
          const wrong = errorIn(e.data, 200, new Headers());
          if (wrong) throw wrong;
          yield { id: e.id, data: (JSON.parse(e.data) as { data: T }).data };
        }
        if (e.id) [last, failed] = [e.id, 0]; // what was not passed on comes again
      }
    } catch (err) {
      call.signal?.throwIfAborted();
      if (err instanceof RollcallError) {
        if (err.status === 429) limited++;
        // A service that stops, or cannot check the key, says so in an event: that is a broken connection.
        const passing = again(err.status) || err.code === "unavailable";
        if (!passing || err.retryAfter > t.patience || limited >= t.tries) throw err;
        wait = Math.max(wait, err.retryAfter);
      }
    } finally {
      call.signal?.removeEventListener("abort", stop);
      watch.abort();
    }
    await sleep(wait, call.signal);
  }
}

/** A server-sent event. */
interface ServerEvent {
  id: string;
  name: string;
  data: string;
}

// events opens one connection and yields its events until it ends.
async function* events(t: Transport, query: string, variables: Variables, last: string, watch: AbortController): AsyncGenerator<ServerEvent, void> {
  let timer = setTimeout(() => watch.abort(), silence);
  try {
    const more: Record<string, string> = last ? { "Last-Event-ID": last } : {};
    const res = await t.open({ method: "POST", url: t.graphql, body: JSON.stringify({ query, variables }), accept: "text/event-stream" }, more, watch.signal);
    if (!res.body || !res.headers.get("Content-Type")?.startsWith("text/event-stream")) {
      const text = await res.text();
      throw errorIn(text, res.status, res.headers) ?? errorOf(res.status, res.headers, text);
    }
    const reader = res.body.getReader();
    const decoder = new TextDecoder();
    for (let rest = ""; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => watch.abort(), silence);
      const parts = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = parts.pop() ?? "";
      for (const part of parts) yield parse(part);
    }
  } finally {
    clearTimeout(timer);
  }
}

// parse reads the lines of one event.
function parse(text: string): ServerEvent {
  const e: ServerEvent = { id: "", name: "", data: "" };
  const data: string[] = [];
  for (const line of text.split("\n")) {
    const [, field, value] = /^(\w*): ?(.*)$/.exec(line) ?? [];
    if (field === "id") e.id = value ?? "";
    if (field === "event") e.name = value ?? "";
    if (field === "data") data.push(value ?? "");
  }
  e.data = data.join("\n");
  return e;
}

// errorIn returns the first error of an answer of GraphQL, an error where it is none of GraphQL's, or null.
function errorIn(text: string, status: number, headers: Headers): RollcallError | null {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return errorOf(status, headers, text);
  }
  if (!isObject(answer)) return errorOf(status, headers, text);
  const first: unknown = Array.isArray(answer["errors"]) ? answer["errors"][0] : undefined;
  if (!isObject(first)) return "data" in answer ? null : errorOf(status, headers, text);
  const more = isObject(first["extensions"]) ? first["extensions"] : {};
  const path = Array.isArray(first["path"]) ? (first["path"] as (string | number)[]) : [];
  const code = String(more["code"] ?? "internal").toLowerCase(); // as /v1 spells it
  return new RollcallError(code, String(first["message"]), status, headers.get("X-Request-Id") ?? "", retryAfter(headers), String(more["field"] ?? ""), path);
}
