// Follows a GraphQL subscription over server-sent events. A connection that is lost is made again, after the last event
// that arrived, so nothing is missed; onState is called each time its state changes.
import { forReader } from "./api.js";
import { t } from "./words.js";
/** @import { Followed } from "../gql" */

const silence = 40000; // ms without a byte: the service sends a comment every 15 s
const waits = [1, 2, 4, 8, 15, 30]; // seconds before each further try

/**
 * Follows query, which has a variable $after. onEvent gets the data of each event and returns its id; onState gets "connecting",
 * "live" or "lost", the last with the seconds until the next try. When the session has ended it leaves for the sign-in page, or with stay, for
 * a page on which something may be half written, just ends. Returns {retry, check}; check makes sure of a connection that a sleeping
 * machine or a tab out of sight may have lost without a notice.
 * @template Data
 * @param {Followed<Data>} followed
 */
export function follow({ query, after, onEvent, onState, stay = false }) {
  let last = after;
  let tries = 0;
  let timer = 0;
  let running = null;
  let heardAt = 0;
  let closed = false;

  async function connect() {
    clearTimeout(timer);
    heardAt = 0;
    const mine = (running = new AbortController());
    onState("connecting");
    try {
      await read(mine);
    } catch {
      // whatever ended it, the next try goes on where this one stopped
    }
    if (mine === running && !closed) lose();
  }

  function lose() {
    const seconds = waits[Math.min(tries++, waits.length - 1)];
    running = null;
    onState("lost", seconds);
    timer = setTimeout(connect, seconds * 1000);
  }

  async function read(mine) {
    let quiet = setTimeout(() => mine.abort(), silence);
    const heard = () => {
      heardAt = Date.now();
      clearTimeout(quiet);
      quiet = setTimeout(() => mine.abort(), silence);
    };
    try {
      const answer = await fetch("/graphql", {
        method: "POST",
        signal: mine.signal,
        cache: "no-store",
        headers: { "Content-Type": "application/json", Accept: "text/event-stream", ...forReader },
        body: JSON.stringify({ query, variables: { after: last } }),
      });
      if (answer.status === 401) {
        closed = true;
        if (!stay) location.assign("/sign-in?done=ended&next=" + encodeURIComponent(location.pathname + location.search));
        return;
      }
      if (answer.status === 409) {
        // somebody else has signed in: the page becomes theirs
        closed = true;
        location.reload();
        return;
      }
      if (!answer.ok || !answer.body) throw new Error(t("answered {status}", { status: answer.status }));
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      tries = 0;
      heardAt = Date.now();
      onState("live");
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        heard();
        text += value;
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          const block = text.slice(0, end);
          text = text.slice(end + 2);
          if (!take(block)) return;
        }
      }
    } finally {
      clearTimeout(quiet);
      mine.abort();
    }
  }

  /** Takes one event of the stream; false when it was the last. */
  function take(block) {
    const field = (name) =>
      block
        .split("\n")
        .filter((l) => l.startsWith(name + ":"))
        .map((l) => l.slice(name.length + 1).trim())
        .join("\n");
    const kind = field("event");
    if (kind === "complete") return false;
    if (kind !== "next") return true; // a comment
    const { data, errors } = JSON.parse(field("data"));
    if (errors) {
      // An event that is not kept any more is no place to go on from.
      if (errors[0].extensions && errors[0].extensions.code === "INVALID_PARAMETER") last = undefined;
      return false;
    }
    last = onEvent(data) || last;
    return true;
  }

  const retry = () => {
    if (closed || running) return;
    tries = 0;
    connect();
  };
  const check = () => {
    if (running && heardAt && Date.now() - heardAt > silence) running.abort();
    else retry();
  };
  document.addEventListener("visibilitychange", () => !document.hidden && check());
  addEventListener("online", retry);
  addEventListener("offline", () => running && running.abort());
  addEventListener("pagehide", () => {
    closed = true;
    if (running) running.abort();
  });
  addEventListener("pageshow", (e) => {
    if (!e.persisted) return;
    closed = false;
    running = null;
    connect();
  });
  connect();
  return { retry, check };
}
