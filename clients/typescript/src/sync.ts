import { operate } from "./graphql.js";
import type { Meta } from "./page.js";
import { type Call, type Transport, sleep } from "./transport.js";

/** A family of records. */
export type Family = "ROSTER" | "COURTS" | "CORRECTIONS";

/** A record that changed or went. */
export interface Change<T> {
  family: Family;
  /** GONE: take it out of the copy. It was withheld, deleted or merged. */
  kind: "CHANGED" | "GONE";
  /** As GraphQL has it. */
  id: string;
  /** The record that this one was found to be, if that one is published. */
  mergedInto: string | null;
  /** What `record` of the options selects; null where the record is not published by now. */
  record?: T | null;
}

/** A page of changes, by family, and within a family the oldest first. */
export interface Changes<T> {
  changes: Change<T>[];
  /** Where to go on. Store it when the changes are applied: nothing is missed from there. */
  next: string;
  /** Whether another page follows at once. */
  more: boolean;
  meta: Meta;
}

/** What to synchronise. */
export interface SyncOptions {
  /** All three if left out. It counts for a new cursor alone. */
  families?: Family[];
  /** What to read of each changed record, in the words of GraphQL, such as `... on RosterRecord { name status }`. */
  record?: string;
  /** Size of a page, 1 to 1000; 500 if left out. */
  first?: number;
  /** The wait when nothing is left; 60 if left out. */
  seconds?: number;
}

/** Yields what changed and what went since a cursor, and goes on to do so. An empty cursor begins with all records. */
export async function* sync<T>(t: Transport, options: SyncOptions, after: string, call: Call): AsyncGenerator<Changes<T>, void> {
  const { families, record, first = 500, seconds = 60 } = options;
  const document =
    "query($after: String, $first: Int, $families: [RecordFamily!]) { changes(after: $after, first: $first, families: $families) " +
    `{ changes { family kind id mergedInto${record ? ` record { ${record} }` : ""} } pageInfo { endCursor hasNextPage } } }`;
  for (let next = after; ; ) {
    const variables = next ? { after: next, first } : { first, ...(families && { families }) };
    const { data, meta } = await operate<{ changes: { changes: Change<T>[]; pageInfo: { endCursor: string; hasNextPage: boolean } } }>(t, document, variables, false, call);
    const { endCursor, hasNextPage } = data.changes.pageInfo;
    yield { changes: data.changes.changes, next: endCursor, more: hasNextPage, meta };
    next = endCursor;
    if (!hasNextPage) await sleep(seconds, call.signal);
  }
}
