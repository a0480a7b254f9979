// The REST reference: each operation can be tried with a key that is pasted here. The key stays in this page's memory: it
// is not stored, not put into an address, and sent to this service only.
import { h, byId, show } from "./dom.js";
import { copyButtons } from "./copy.js";

const reference = byId("reference");
const base = new URL(reference.dataset.base, location.href);
const told = ["X-Request-Id", "RateLimit-Remaining", "Retry-After", "ETag", "X-Data-As-Of", "X-Data-Stale", "X-Case-Matches", "Allow"];
let key = "";

const keyInput = h("input", { id: "key", type: "password", autocomplete: "off", spellcheck: "false", placeholder: "rc_live_…", "aria-describedby": "key-hint", input: () => {
  key = keyInput.value.trim();
} });

function keyBox() {
  const box = byId("key-box");
  show(box, h("h2", { id: "h-key" }, "Try it"), h("form", { class: "inline", submit: (e) => e.preventDefault() }, h("div", null, h("label", { for: "key" }, "API key"), keyInput),
    h("button", { type: "button", click: () => { key = keyInput.value = ""; keyInput.focus(); } }, "Forget it")),
  h("p", { class: "hint", id: "key-hint" }, "With a key, every operation below can be sent from here. It is kept in this page’s memory only and is gone when you leave. Requests are real: they count against your limit, and what they change is changed."));
  box.setAttribute("aria-labelledby", "h-key");
}

/** The parameters of an operation, as its table lists them. */
const parametersOf = (section) => [...section.querySelectorAll("[data-parameter]")].map((row) => ({
  name: row.dataset.parameter, at: row.dataset.in, required: "required" in row.dataset, values: row.dataset.values ? row.dataset.values.split(",") : null,
}));

function field(section, p) {
  const id = "try-" + section.id + "-" + p.name;
  const input = p.values
    ? h("select", { id, name: p.name, required: p.required }, h("option", { value: "" }, "–"), p.values.map((v) => h("option", { value: v }, v)))
    : h("input", { id, name: p.name, required: p.required, autocomplete: "off", spellcheck: "false" });
  return { p, input, box: h("div", null, h("label", { for: id }, p.name + (p.required ? " (required)" : "")), input) };
}

/** The request that a form describes. */
function requestOf(section, fields, body) {
  let path = section.dataset.path;
  const headers = { Authorization: "Bearer " + key };
  const query = new URLSearchParams();
  for (const { p, input } of fields) {
    const value = input.value.trim();
    if (p.at === "path") path = path.replace("{" + p.name + "}", encodeURIComponent(value));
    else if (value && p.at === "query") query.set(p.name, value);
    else if (value && p.at === "header") headers[p.name] = value;
  }
  if (body) headers["Content-Type"] = "application/json";
  return { method: section.dataset.method, path: path + (query.size ? "?" + query : ""), headers, body: body ? body.value : undefined };
}

const quoted = (s) => "'" + s.replaceAll("'", "'\\''") + "'";

function curl(r) {
  const parts = ["curl"];
  if (r.method !== "GET") parts.push("-X " + r.method);
  parts.push('-H "Authorization: Bearer $KEY"');
  for (const [name, value] of Object.entries(r.headers)) if (name !== "Authorization") parts.push("-H " + quoted(name + ": " + value));
  if (r.body) parts.push("-d " + quoted(r.body));
  return parts.join(" ") + " " + quoted(base.href + r.path);
}

async function bodyOf(answer) {
  const kind = answer.headers.get("Content-Type") || "";
  if (kind.startsWith("image/")) return "(a picture of " + (await answer.blob()).size + " bytes)";
  const text = await answer.text();
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text || "(no body)";
  }
}

async function send(r, place) {
  show(place, h("p", { class: "quiet", role: "status", "aria-busy": "true" }, "Waiting for the answer …"));
  const begun = performance.now();
  try {
    const answer = await fetch(base.pathname + r.path, { method: r.method, headers: r.headers, body: r.body, credentials: "omit", cache: "no-store" });
    const text = await bodyOf(answer);
    const tone = answer.ok ? "good" : answer.status < 500 ? "warn" : "bad";
    show(place,
      h("p", { role: "status" }, h("span", { class: "chip " + tone }, answer.status + " " + answer.statusText), h("span", { class: "small quiet num" }, " " + Math.round(performance.now() - begun) + " ms")),
      h("dl", { class: "facts" }, told.filter((n) => answer.headers.has(n)).map((n) => h("div", null, h("dt", null, n), h("dd", { class: "mono" }, answer.headers.get(n))))),
      h("pre", { tabindex: "0", "aria-label": "Body of the answer" }, text),
      h("details", null, h("summary", null, "The same with curl"), h("pre", { tabindex: "0" }, curl(r))));
  } catch {
    show(place, h("p", { class: "note bad", role: "alert" }, "The service cannot be reached. Check your connection and send it again."));
  }
}

function openForm(section, box) {
  const fields = parametersOf(section).map((p) => field(section, p));
  const example = section.querySelector("[data-body]");
  const body = example ? h("textarea", { id: "try-" + section.id + "-body", spellcheck: "false" }) : null;
  if (body) body.value = example.textContent;
  const place = h("div", { class: "answer" });
  const form = h("form", { submit: (e) => {
    e.preventDefault();
    if (!key) {
      show(place, h("p", { class: "note warn", role: "alert" }, "Paste an API key into the field at the top of this page first."));
      keyInput.focus();
      return;
    }
    send(requestOf(section, fields, body), place);
  } }, fields.map((f) => f.box),
  body ? h("div", { class: "whole" }, h("label", { for: body.id }, "Body"), body) : null,
  h("div", { class: "whole bar" }, h("button", { class: "primary" }, "Send " + section.dataset.method)));
  show(box, h("h4", null, "Try it"), form, place);
  const first = form.querySelector("input, select, textarea, button");
  if (first) first.focus();
}

keyBox();
for (const section of document.querySelectorAll(".operation")) {
  const box = h("div", { class: "try" });
  box.append(h("button", { type: "button", click: () => openForm(section, box) }, "Try it", h("span", { class: "visually-hidden" }, ": " + section.dataset.method + " " + section.dataset.path)));
  section.append(box);
}
copyButtons(reference.querySelectorAll(".text > pre"));
