// The reference of /v1: each operation can be tried. Who is signed in needs no key: the page asks by the session and its token at
// an address that is for this page alone. A key that is pasted stays in this page's memory: it is not stored, not put into an
// address, and sent to this service only.
import "./manual.js";
import { h, byId, show } from "./dom.js";
import { forReader } from "./api.js";
import { copyButtons } from "./copy.js";
import { t } from "./words.js";

const reference = byId("reference");
const base = new URL(reference.dataset.base, location.href);
const told = ["X-Request-Id", "RateLimit-Remaining", "Retry-After", "X-Error-Field", "Link", "ETag", "X-Data-As-Of", "X-Data-Stale", "X-Case-Matches", "Allow"];
const signedIn = Boolean(forReader["Rollcall-Reader"]);
let key = "";

const keyInput = h("input", {
  id: "key",
  type: "password",
  autocomplete: "off",
  spellcheck: "false",
  placeholder: t("rc_live_…"),
  "aria-describedby": "key-hint",
  input: () => {
    key = keyInput.value.trim();
  },
});

function keyBox(box) {
  const hint = signedIn
    ? t("You are signed in, so you can send the operations below without a key. If you paste a key, it is used instead. It stays in this page’s memory only.")
    : t("Paste an API key to send the operations below from this page. The key stays in this page’s memory and is gone when you leave.");
  show(
    box,
    h("h2", { id: "h-key" }, t("Try it")),
    h(
      "form",
      { class: "inline", submit: (e) => e.preventDefault() },
      h("div", null, h("label", { for: "key" }, signedIn ? t("API key (optional)") : t("API key")), keyInput),
      h(
        "button",
        {
          type: "button",
          click: () => {
            key = keyInput.value = "";
            keyInput.focus();
          },
        },
        t("Clear"),
      ),
    ),
    h("p", { class: "hint", id: "key-hint" }, hint, " " + t("Requests are real: they count against your limit, and their changes take effect.")),
  );
  box.setAttribute("aria-labelledby", "h-key");
}

/** The parameters of an operation, as its table lists them. */
const parametersOf = (section) =>
  [...section.querySelectorAll("[data-parameter]")].map((row) => ({
    name: row.dataset.parameter,
    at: row.dataset.in,
    required: "required" in row.dataset,
    example: row.dataset.example || null,
    values: row.dataset.values ? row.dataset.values.split(",") : null,
  }));

function field(section, p) {
  const id = "try-" + section.id + "-" + p.name;
  const input = p.values
    ? h(
        "select",
        { id, name: p.name, required: p.required },
        h("option", { value: "" }, "–"),
        p.values.map((v) => h("option", { value: v }, v)),
      )
    : h("input", { id, name: p.name, required: p.required, placeholder: p.example, autocomplete: "off", spellcheck: "false" });
  return { p, input, box: h("div", null, h("label", { for: id }, p.name + (p.required ? " " + t("(required)") : "")), input) };
}

/** The request that a form describes. exemplary puts the example in the place of a part of the path that is not typed yet. */
function requestOf(section, fields, body, exemplary = false) {
  let path = section.dataset.path;
  const headers = {};
  const query = new URLSearchParams();
  for (const { p, input } of fields) {
    const value = input.value.trim() || (exemplary && p.at === "path" && p.example) || "";
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
  parts.push('-H "Authorization: Bearer $ROLLCALL_KEY"');
  for (const [name, value] of Object.entries(r.headers)) parts.push("-H " + quoted(name + ": " + value));
  if (r.body) parts.push("-d " + quoted(r.body));
  return parts.join(" ") + " " + quoted(base.href + r.path);
}

async function bodyOf(answer) {
  const kind = answer.headers.get("Content-Type") || "";
  if (kind.startsWith("image/")) return t("(a picture of {size} bytes)", { size: (await answer.blob()).size });
  const text = await answer.text();
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text || t("(no body)");
  }
}

async function send(r, place) {
  show(place, h("p", { class: "quiet", role: "status", "aria-busy": "true" }, t("Waiting for the answer …")));
  const begun = performance.now();
  try {
    const answer = key
      ? await fetch(base.pathname + r.path, {
          method: r.method,
          headers: { ...r.headers, Authorization: "Bearer " + key },
          body: r.body,
          credentials: "omit",
          cache: "no-store",
        })
      : await fetch("/docs/try/v1" + r.path, {
          method: r.method,
          headers: { ...r.headers, ...forReader },
          body: r.body,
          credentials: "same-origin",
          cache: "no-store",
        });
    const text = await bodyOf(answer);
    const tone = answer.ok ? "good" : answer.status < 500 ? "warn" : "bad";
    show(
      place,
      h(
        "p",
        { role: "status" },
        h("span", { class: "chip " + tone }, answer.status + " " + answer.statusText),
        h("span", { class: "small quiet num" }, " " + t("{v} ms", { v: Math.round(performance.now() - begun) })),
      ),
      h(
        "dl",
        { class: "facts" },
        told.filter((n) => answer.headers.has(n)).map((n) => h("div", null, h("dt", null, n), h("dd", { class: "mono" }, answer.headers.get(n)))),
      ),
      h("pre", { tabindex: "0", "aria-label": t("Body of the answer") }, text),
      h("details", null, h("summary", null, t("As a curl command")), h("pre", { tabindex: "0" }, curl(r))),
    );
  } catch {
    show(place, h("p", { class: "note bad", role: "alert" }, t("The service cannot be reached. Check your connection and send it again.")));
  }
}

const compact = (json) => JSON.stringify(JSON.parse(json));
/** What a program of any language can hold between quotes as it stands. */
const plain = (text) => /^[ -~]*$/.test(text) && !/['`\\$]/.test(text);

/** Lets the samples make the request that the form describes. A body that they cannot hold as it stands leaves theirs. */
function sampled(section, fields, body) {
  const box = section.querySelector(".samples");
  const first = { path: box.dataset.path, body: body && compact(body.value) };
  const programs = [...box.querySelectorAll("pre")].map((pre) => ({ pre, text: pre.textContent }));
  return () => {
    let now = null;
    try {
      now = body && compact(body.value);
    } catch {
      // it is being typed
    }
    const path = requestOf(section, fields, body, true).path.replaceAll("'", "%27");
    for (const { pre, text } of programs) {
      const asked = text.replaceAll(first.path + '"', path + '"');
      pre.textContent = now && plain(now) ? asked.replaceAll(first.body, () => now) : asked;
    }
  };
}

/** Asks before a request that changes something. */
function confirmed(r, place) {
  const yes = h("button", { type: "button", class: "primary", click: () => send(r, place) }, t("Send it"));
  const no = h(
    "button",
    {
      type: "button",
      click: () => {
        show(place);
        place.closest("form, .try").querySelector("button.primary").focus();
      },
    },
    t("Cancel"),
  );
  show(
    place,
    h(
      "div",
      { class: "note warn", role: "group", "aria-label": t("Confirm") },
      h("p", null, t("This is a real request:") + " ", h("code", null, r.method + " " + r.path), " " + t("may change data of your account.")),
      h("p", { class: "bar" }, yes, no),
    ),
  );
  yes.focus();
}

function openForm(section, box) {
  const fields = parametersOf(section).map((p) => field(section, p));
  const example = section.querySelector("[data-body]");
  const body = example ? h("textarea", { id: "try-" + section.id + "-body", spellcheck: "false" }) : null;
  if (body) body.value = example.textContent;
  const place = h("div", { class: "answer" });
  const form = h(
    "form",
    {
      input: sampled(section, fields, body),
      submit: (e) => {
        e.preventDefault();
        if (!key && !signedIn) {
          show(place, h("p", { class: "note warn", role: "alert" }, t("Paste an API key into the field at the top of this page first.")));
          keyInput.focus();
          return;
        }
        const r = requestOf(section, fields, body);
        if (r.method === "GET" || "changesNothing" in section.dataset) send(r, place);
        else confirmed(r, place);
      },
    },
    fields.map((f) => f.box),
    body ? h("div", { class: "whole" }, h("label", { for: body.id }, t("Body")), body) : null,
    h("div", { class: "whole bar" }, h("button", { class: "primary" }, t("Send {method}", { method: section.dataset.method }))),
  );
  show(box, h("h3", null, t("Try it")), form, place);
  const first = form.querySelector("input, select, textarea, button");
  if (first) first.focus();
}

const place = byId("key-box");
if (place) keyBox(place);
for (const section of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".operation"))) {
  const box = h("div", { class: "try" });
  box.append(
    h(
      "button",
      { type: "button", click: () => openForm(section, box) },
      t("Try it"),
      h("span", { class: "visually-hidden" }, ": " + section.dataset.method + " " + section.dataset.path),
    ),
  );
  section.append(box);
}
copyButtons(reference.querySelectorAll(".text > pre, .samples pre"));
