// Tab writes a tab in an editor, so the keyboard needs a way out: after Esc the next Tab or Shift+Tab leaves.
(function () {
  "use strict";
  const leaving = { Tab: false, "Shift-Tab": false }; // CodeMirror then leaves these keys to the browser
  const editorOf = (target) => target.closest?.(".CodeMirror")?.CodeMirror;

  document.addEventListener(
    "keydown",
    (e) => {
      const editor = editorOf(e.target);
      if (!editor || e.key === "Tab" || e.key === "Shift") return;
      editor.removeKeyMap(leaving);
      if (e.key === "Escape") editor.addKeyMap(leaving);
    },
    true,
  );
  document.addEventListener("focusout", (e) => editorOf(e.target)?.removeKeyMap(leaving));
})();
