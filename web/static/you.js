// The reader's own things: passkeys, and whether photographs are blurred.
import { byId, one } from "./dom.js";
import { blurs, setBlur } from "./photograph.js";
import { supported, post, refusal, make } from "./passkey.js";
import { t } from "./words.js";

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("add-passkey"));
if (form) {
  const said = one("[role=status]", form);
  const button = one("button", form);
  if (supported()) form.hidden = false;
  else byId("no-passkeys").hidden = false;
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    button.disabled = true;
    said.textContent = t("Your device asks for your confirmation.");
    try {
      const credential = await make(await post("/settings/you/passkeys/begin"));
      const { to } = await post("/settings/you/passkeys", { name: new FormData(form).get("name"), credential });
      location.assign(to);
    } catch (err) {
      said.textContent = refusal(err);
      button.disabled = false;
    }
  });
}

const blur = /** @type {HTMLInputElement} */ (document.getElementById("blur-photographs"));
blur.checked = blurs();
blur.addEventListener("change", () => setBlur(blur.checked));
