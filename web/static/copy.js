// Copies text, and says so; where the browser does not let it, the text is selected for the reader to copy.
import { h, icon } from "./dom.js";
import { t } from "./words.js";

/** A button that copies what source shows. said is called with what happened. */
export function copyButton(source, said, attributes) {
  return h(
    "button",
    {
      type: "button",
      ...attributes,
      click: async () => {
        try {
          await navigator.clipboard.writeText(source.textContent);
          said(t("Copied."));
        } catch {
          getSelection()?.selectAllChildren(source);
          said(t("Selected: press Ctrl+C or Command+C."));
        }
      },
    },
    icon("copy"),
    t("Copy"),
  );
}

/** Puts a copy button on each piece of code. */
export function copyButtons(pieces) {
  for (const pre of pieces) {
    const box = h("div", { class: "code-box" });
    pre.replaceWith(box);
    const button = copyButton(
      pre,
      (text) => {
        button.textContent = text === t("Copied.") ? t("Copied") : t("Selected");
      },
      null,
    );
    box.append(pre, button);
  }
}
