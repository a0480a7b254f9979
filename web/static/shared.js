// One stream for all tabs of a browser: over HTTP/1.1 a browser has six connections to a host, and six open tabs that each kept
// one would leave none for anything else. The tab that holds a lock follows and informs the others; when it is closed, another takes over
// after the last event that it received, so nothing is missed.
import { follow } from "./stream.js";
/** @import { Followed, State } from "../gql" */

/**
 * What a tab says to the others.
 * @template Data
 * @typedef {{ event?: Data, state?: State, joined?: true, retry?: true, check?: true }} Said
 */

/**
 * Follows query as stream.js does, together with the tabs that use the same name, which belongs to one query and one account. An
 * event may come more than once. Returns {retry}.
 * @template Data
 * @param {string} name
 * @param {Followed<Data>} followed
 */
export function followTogether(name, { query, after, onEvent, onState, stay = false }) {
  if (!navigator.locks) return follow({ query, after, onEvent, onState, stay }); // not served over TLS nor from this machine
  const others = new BroadcastChannel(name);
  let last = after;
  /** @type {State} */
  let state = ["connecting"];
  let stream = null; // in the tab that follows

  const hear = (/** @type {Data} */ data) => {
    last = onEvent(data) || last;
    return last;
  };
  const stand = (/** @type {State} */ ...now) => {
    state = now;
    onState(...now);
  };
  others.addEventListener("message", (/** @type {MessageEvent<Said<Data>>} */ { data: said }) => {
    if (said.event) hear(said.event);
    if (said.state && !stream) stand(...said.state);
    if (said.joined && stream) others.postMessage({ state });
    if (said.retry && stream) stream.retry();
    if (said.check && stream) stream.check();
  });
  navigator.locks.request(
    name,
    () =>
      new Promise(() => {
        stream = follow({
          query,
          after: last,
          stay,
          onEvent: (data) => {
            others.postMessage({ event: data });
            return hear(data);
          },
          onState: (...now) => {
            stand(...now);
            others.postMessage({ state });
          },
        });
      }),
  );
  document.addEventListener("visibilitychange", () => !document.hidden && !stream && others.postMessage({ check: true })); // the tab that follows may have slept
  stand("connecting");
  others.postMessage({ joined: true });
  return { retry: () => (stream ? stream.retry() : others.postMessage({ retry: true })) };
}
