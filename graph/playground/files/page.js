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

  const fetcher = async (operation, options) => {
    const headers = { ...(options && options.headers) };
    remembered = keyIn(headers) || remembered;
    for (const name of Object.keys(headers)) {
      if (name.toLowerCase() === "authorization") delete headers[name];
    }
    const answer = await fetch(location.pathname, {
      method: "POST",
      headers: {
        ...headers,
        ...(remembered ? { Authorization: remembered } : token ? { "Rollcall-Page": token } : {}),
        Accept: "application/graphql-response+json",
        "Content-Type": "application/json",
      },
      body: JSON.stringify(operation),
    });
    if (answer.status === 401) {
      return { errors: [{ message: "Sign in to rollcall in this browser, or paste your API key into the pane Headers: Bearer rc_live_..." }] };
    }
    return answer.json();
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
  // What GraphiQL 3 leaves unsaid: its editors have no names, and its tabs, which hold a button to close them, are no tabs.
  const names = { "graphiql-query-editor": "Query", "result-window": "Result", "graphiql-editor-tool": "Variables and headers" };
  const mend = () => {
    for (const place of Object.keys(names)) {
      for (const field of document.querySelectorAll(`.${place} .CodeMirror textarea`)) field.setAttribute("aria-label", names[place]);
      for (const pane of document.querySelectorAll(`.${place} .CodeMirror-scroll`)) pane.tabIndex = 0; // so that keys scroll it
    }
    document.querySelector(".graphiql-tabs[role=tablist]")?.setAttribute("role", "group");
    for (const tab of document.querySelectorAll(".graphiql-tab[role=tab]")) tab.setAttribute("role", "none");
    for (const tab of document.querySelectorAll(".graphiql-tab")) {
      tab.querySelector(".graphiql-tab-button")?.setAttribute("aria-current", String(tab.classList.contains("graphiql-tab-active")));
      tab.removeAttribute("aria-selected");
    }
  };
  new MutationObserver(mend).observe(document.getElementById("playground"), { childList: true, subtree: true, attributes: true, attributeFilter: ["class", "role", "aria-selected"] });
  ReactDOM.createRoot(document.getElementById("playground")).render(React.createElement(Page));
})();
