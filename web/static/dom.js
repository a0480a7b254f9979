// Builds elements. What comes from a record only ever becomes text or a checked address, never markup.

const svgSpace = "http://www.w3.org/2000/svg";

/**
 * An element with attributes and children; null, false and "" children are left out.
 * @param {string} tag
 * @param {Record<string, any> | null} [attributes]
 * @param {...any} children
 * @returns {any}
 */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * The same for pictures.
 * @param {string} tag
 * @param {Record<string, any> | null} [attributes]
 * @param {...any} children
 * @returns {any}
 */
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(svgSpace, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children
      .flat(Infinity)
      .filter((c) => c !== null && c !== undefined && c !== false && c !== "")
      .map(alone),
  );
  return element;
}

const turns = /[\u0590-\u08FF\u200E\u200F\u202A-\u202E\u2066-\u2069]/;

/** A text that is written from the right, or turns what follows it around, does so by itself. */
function alone(child) {
  if (typeof child !== "string" || !turns.test(child)) return child;
  const own = document.createElement("bdi");
  own.textContent = child;
  return own;
}

/** A picture of icons.svg. The words beside it say what it means, so it is hidden from those who do not see it. */
export const icon = (name) => svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: import.meta.resolve("./icons.svg") + "#" + name }));

/** Texts in one line, each by itself; empty ones are left out. */
export const line = (texts, between = " · ") => texts.filter(Boolean).flatMap((x, i) => (i ? [between, x] : [x]));

/**
 * Replaces what is in an element.
 * @param {Element} element
 * @param {...any} children
 */
export function show(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
}

/**
 * The element of the page that has an id. What it is stands in the template, so its type is left to the caller.
 * @param {string} id
 * @returns {any}
 */
export const byId = (id) => document.getElementById(id);

/**
 * The first element that fits, of those that a template always has. A page without it was built wrong: the error names the selector.
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {any}
 */
export function one(selector, within = document) {
  const found = within.querySelector(selector);
  if (!found) throw new Error(selector);
  return found;
}

/** A card with a heading of its own. */
export function card(title, ...children) {
  const id = "h-" + title.toLowerCase().replace(/[^a-z]+/g, "-");
  return h("section", { class: "card", "aria-labelledby": id }, h("h2", { id }, title), children);
}

/** A list of facts; pairs without a value are left out. */
export function facts(pairs) {
  return h(
    "dl",
    { class: "facts" },
    pairs.filter(([, v]) => v !== null && v !== undefined && v !== "").map(([k, v]) => h("div", null, h("dt", null, k), h("dd", null, v))),
  );
}

/** A list by list items, in the order given. */
export function list(items, kind = "list") {
  return h(
    "ul",
    { class: kind },
    items.map((i) => h("li", null, i)),
  );
}

/** A table; on narrow screens a list of cards whose cells carry the names of their columns (site.css), those of a whole column across the card. */
export function table(label, columns, rows) {
  const num = (c) => [c.num && "num", c.whole && "whole"].filter(Boolean).join(" ") || null;
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    h(
      "table",
      { class: columns.filter((c) => c.num).length > 2 ? "cards numbers" : "cards", role: "table" },
      h(
        "thead",
        { role: "rowgroup" },
        h(
          "tr",
          { role: "row" },
          columns.map((c) => h("th", { role: "columnheader", scope: "col", class: num(c) }, c.name)),
        ),
      ),
      h(
        "tbody",
        { role: "rowgroup" },
        rows.map((row) =>
          h(
            "tr",
            { role: "row" },
            row.map((cell, i) => h("td", { role: "cell", class: num(columns[i]), "data-label": i ? columns[i].name : null }, cell)),
          ),
        ),
      ),
    ),
  );
}

/** Says that there is nothing, and what to do about it. */
export function empty(title, text) {
  return h("div", { class: "empty" }, h("b", null, title), text);
}
