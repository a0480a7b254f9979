// Copies text, and says so; where the browser does not let it, the text is selected for the reader to copy.
import { h, icon } from "./dom.js";

/** A button that copies what source shows. said is called with what happened. */
export function copyButton(source, said, attributes) {
  return h("button", { type: "button", ...attributes, click: async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      said("Copied.");
    } catch {
      getSelection().selectAllChildren(source);
      said("Selected: press Ctrl+C or Command+C.");
    }
  } }, icon("copy"), "Copy");
}

/** Puts a copy button on each piece of code. */
export function copyButtons(pieces) {
  for (const pre of pieces) {
    const box = h("div", { class: "code-box" });
    pre.replaceWith(box);
    const button = copyButton(pre, (text) => { button.textContent = text.startsWith("Copied") ? "Copied" : "Selected"; }, null);
    box.append(pre, button);
  }
}
