// Says what GraphiQL leaves unsaid.
(function () {
  "use strict";
  // The editors of GraphiQL 3 have no names, and its tabs, which hold a button to close them, are no tabs.
  const names = { "graphiql-query-editor": "Query", "result-window": "Result", "graphiql-editor-tool": "Variables and headers" };
  const noSchema = "The schema is shown once you sign in to rollcall in this browser, or paste an API key into Headers.";
  const token = document.querySelector("meta[name=page]");
  /** A row of the table of keys. */
  const leave = () => {
    const row = document.createElement("tr");
    row.className = "leave";
    for (const text of ["Esc, then Tab", "Leave an editor"]) row.insertCell().textContent = text;
    return row;
  };
  /** Says in an empty result what fills it. */
  const hint = () => {
    const pane = document.querySelector(".graphiql-response");
    const result = pane?.querySelector(".CodeMirror");
    if (!pane || !result) return;
    let note = pane.querySelector(".unasked");
    if (!note) {
      note = document.createElement("p");
      note.className = "unasked";
      pane.append(note);
    }
    const waits = pane.querySelector(".graphiql-spinner");
    const said = document.getElementById(waits ? "playground-waiting" : "playground");
    const text = waits ? said.textContent : said.dataset.label;
    if (note.textContent !== text) note.textContent = text; // a change is seen by the observer
    note.hidden = Boolean(result.CodeMirror.getValue());
  };
  let shownTab = null;
  const mend = () => {
    for (const place of Object.keys(names)) {
      for (const field of document.querySelectorAll(`.${place} .CodeMirror textarea`)) field.setAttribute("aria-label", names[place]);
      for (const pane of document.querySelectorAll(`.${place} .CodeMirror-scroll`)) pane.tabIndex = 0; // so that keys scroll it
    }
    hint();
    const keys = document.querySelector(".graphiql-dialog .graphiql-table tbody");
    if (keys && !keys.querySelector(".leave")) keys.append(leave());
    const empty = document.querySelector(".graphiql-doc-explorer-error");
    if (empty && empty.textContent !== noSchema && !token) empty.textContent = noSchema;
    document.querySelector(".graphiql-tabs[role=tablist]")?.setAttribute("role", "group");
    for (const tab of document.querySelectorAll(".graphiql-tab[role=tab]")) tab.setAttribute("role", "none");
    const active = document.querySelector(".graphiql-tab-active");
    if (shownTab && active !== shownTab) active?.scrollIntoView({ block: "nearest", inline: "nearest" });
    shownTab = active;
    for (const tab of document.querySelectorAll(".graphiql-tab")) {
      tab.querySelector(".graphiql-tab-button")?.setAttribute("aria-current", String(tab.classList.contains("graphiql-tab-active")));
      tab.removeAttribute("aria-selected");
    }
  };
  new MutationObserver(mend).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["class", "role", "aria-selected"],
  });
})();
