// Starts GraphiQL on the address of this page. It asks as whoever is signed in, or with a key, which is kept in memory only
// and serves every tab once it was pasted into one of them.
(function () {
  "use strict";
  window.__webpack_nonce__ = document.currentScript.nonce;

  const hint = JSON.stringify({ Authorization: "" }, null, 2); // where a key is pasted, after Bearer; empty asks as whoever is signed in
  const looksLikeKey = /^Bearer\s+rc_[A-Za-z0-9_]{30,}$/i;
  let remembered = "";
  const token = document.querySelector("meta[name=page]")?.content; // of a reader who is signed in; it says that a page asks, and no program

  // The pane's text as an object; what is being typed is no JSON yet.
  const parse = (text) => {
    try {
      return JSON.parse(text || "{}") || {};
    } catch {
      return {};
    }
  };
  const keyIn = (headers) => {
    const name = Object.keys(headers).find((n) => n.toLowerCase() === "authorization");
    return name && looksLikeKey.test(headers[name]) ? headers[name] : "";
  };

  // What GraphiQL sends, with the key or as whoever is signed in. The page says what it accepts.
  const send = (operation, options, accept, signal) => {
    const headers = { ...(options && options.headers) };
    remembered = keyIn(headers) || remembered;
    for (const name of Object.keys(headers)) {
      if (["authorization", "accept"].includes(name.toLowerCase())) delete headers[name];
    }
    return fetch(location.pathname, {
      method: "POST",
      headers: {
        ...headers,
        ...(remembered ? { Authorization: remembered } : token ? { "Rollcall-Page": token } : {}),
        Accept: accept,
        "Content-Type": "application/json",
      },
      body: JSON.stringify(operation),
      signal,
    });
  };
  const read = (answer) => {
    if (answer.status !== 401) return answer.json();
    return { errors: [{ message: "Sign in to rollcall in this browser, or paste your API key into the pane Headers: Bearer rc_live_..." }] };
  };
  // GraphiQL's parsed document lags behind what is typed, so the text decides: of the kind, and whether an operation is still there.
  const asTyped = (operation) =>
    new RegExp(`\\b${operation.operationName}\\b`).test(operation.query) ? operation : { ...operation, operationName: undefined };
  const subscribes = ({ query, operationName }) =>
    new RegExp(`(^|})\\s*subscription\\b${operationName ? `\\s+${operationName}\\b` : ""}`).test(query.replace(/#.*/g, ""));
  const fetcher = async (sent, options) => {
    const operation = asTyped(sent);
    if (subscribes(operation)) {
      return window.following((signal) => send(operation, options, "text/event-stream", signal), read);
    }
    return read(await send(operation, options, "application/graphql-response+json"));
  };

  const asked = new URLSearchParams(location.search);
  const tabs = window.examples.map((query) => ({ query, headers: hint }));
  if (asked.get("query")) {
    tabs.unshift({ query: asked.get("query"), variables: asked.get("variables") || "", headers: hint });
  }

  // The theme that the site shows: what the reader chose in the account menu (html[data-theme]), or the system's.
  const system = matchMedia("(prefers-color-scheme: dark)");
  const theme = () => document.documentElement.dataset.theme || (system.matches ? "dark" : "light");
  const whenThemeChanges = (changed) => {
    const observer = new MutationObserver(changed);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    system.addEventListener("change", changed);
    return () => {
      observer.disconnect();
      system.removeEventListener("change", changed);
    };
  };

  function Page() {
    const [key, setKey] = React.useState("");
    const shown = React.useSyncExternalStore(whenThemeChanges, theme);
    // Another function makes GraphiQL read the schema again, now with the key.
    const fetchAs = React.useMemo(() => (operation, options) => fetcher(operation, options), [key]);
    return React.createElement(GraphiQL, {
      fetcher: fetchAs,
      schema: token || key ? undefined : null, // GraphiQL reads the schema as it opens: not before there is somebody who may
      forcedTheme: shown,
      defaultTabs: tabs,
      defaultHeaders: hint,
      defaultEditorToolsVisibility: token ? "variables" : "headers",
      shouldPersistHeaders: false,
      showPersistHeadersSettings: false,
      onEditHeaders: (text) => {
        const pasted = keyIn(parse(text));
        if (pasted) {
          remembered = pasted;
          setKey(pasted);
        }
      },
    });
  }
  ReactDOM.createRoot(document.getElementById("playground")).render(React.createElement(Page));
})();
