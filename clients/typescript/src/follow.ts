import { type Filter, type Meta, pages } from "./page.js";
import { type Call, type Transport, sleep } from "./transport.js";

/** A page of records that changed. */
export interface Batch<T> {
  /** As they are now. */
  items: T[];
  /** Where to go on. Store it when the items are dealt with: following from it misses nothing, and may repeat some. */
  next: string;
  meta: Meta;
}

/**
 * Passes over a list again and again, each time from where the last pass began. A record that is as it was in the last pass is
 * left out, because what a run brings counts as changed when the run began.
 */
export async function* follow<T>(t: Transport, path: string, filter: Filter, since: string, seconds: number, id: (item: T) => string, call: Call): AsyncGenerator<Batch<T>, void> {
  let before = new Map<string, string>();
  for (let next = since; ; ) {
    const now = new Map<string, string>();
    let begun = "";
    for await (const page of pages<T>(t, path, "records", { ...filter, updated_since: next }, call)) {
      begun ||= page.meta.asOf || next;
      const items = page.items.filter((item) => {
        const text = JSON.stringify(item);
        const known = before.get(id(item)) === text || now.get(id(item)) === text;
        now.set(id(item), text);
        return !known;
      });
      yield { items, next: page.next ? next : begun, meta: page.meta };
    }
    before = now;
    next = begun;
    await sleep(seconds, call.signal);
  }
}
