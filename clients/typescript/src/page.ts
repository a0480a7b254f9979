import type { Call, Transport } from "./transport.js";

/** How fresh an answer is, and its name. */
export interface Meta {
  /** The oldest last success among the sources of the answer, RFC 3339; empty when none ever succeeded. */
  asOf: string;
  /** Counties whose source is late, down, held or refused; "*" is a statewide one. An empty list of one says nothing about custody. */
  stale: string[];
  /** Names the request in the logs of the service. */
  requestId: string;
  /** Names the state of one alert or webhook, for `ifMatch`. */
  etag: string;
  /** The address of what was created; empty: nothing was. */
  location: string;
}

/** A page of a list. */
export interface Page<T> {
  total: number;
  limit: number;
  offset: number;
  items: T[];
  meta: Meta;
  /** The query of the page after this one; null: this is the last. */
  next: URLSearchParams | null;
}

/** A filter: members with undefined or an empty text are left out. */
export type Filter = Record<string, string | number | undefined>;

/** Reads the headers of an answer. */
export function metaOf(headers: Headers): Meta {
  return {
    asOf: headers.get("X-Data-As-Of") ?? "",
    stale: (headers.get("X-Data-Stale") ?? "").split(",").map((s) => s.trim()).filter(Boolean),
    requestId: headers.get("X-Request-Id") ?? "",
    etag: headers.get("ETag") ?? "",
    location: headers.get("Location") ?? "",
  };
}

/** Returns a filter as parameters. */
export function query(filter: Filter): URLSearchParams {
  const q = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (value !== undefined && value !== "") q.set(name, String(value));
  return q;
}

/** Reads one page. member is the name under which the answer has its entries. */
export async function list<T>(t: Transport, path: string, member: string, q: URLSearchParams, call: Call): Promise<Page<T>> {
  const { value, headers } = await t.call<{ total: number; limit: number; offset: number } & Record<string, unknown>>("GET", `${path}?${q}`, undefined, call);
  const items = value[member] as T[];
  const { total, limit, offset } = value;
  return { total, limit, offset, items, meta: metaOf(headers), next: following(headers, q, offset, items.length, total) };
}

/** Yields the pages of a list. */
export async function* pages<T>(t: Transport, path: string, member: string, filter: Filter, call: Call): AsyncGenerator<Page<T>, void> {
  for (let q: URLSearchParams | null = query({ limit: 200, ...filter }); q; ) {
    const page: Page<T> = await list<T>(t, path, member, q, call);
    yield page;
    q = page.next;
  }
}

/** Yields the entries of all pages. */
export async function* all<T>(t: Transport, path: string, member: string, filter: Filter, call: Call): AsyncGenerator<T, void> {
  for await (const page of pages<T>(t, path, member, filter, call)) yield* page.items;
}

// A link of the service goes before counting: it holds a cursor, and no record is missed when others come and go meanwhile.
function following(headers: Headers, q: URLSearchParams, offset: number, here: number, total: number): URLSearchParams | null {
  const link = /<[^>?]*\?([^>]*)>\s*;[^,]*rel="next"/.exec(headers.get("Link") ?? "");
  if (link) return new URLSearchParams(link[1]);
  // The last page of a cursor has no link to a next one.
  if (q.has("cursor") || here === 0 || offset + here >= total) return null;
  const next = new URLSearchParams(q);
  next.set("offset", String(offset + here));
  return next;
}
