// Sign-in with a passkey, where the browser has them. The form works without this.
import { supported, post, refusal, use } from "./passkey.js";

const box = document.getElementById("passkey");
if (box && supported()) {
  const button = box.querySelector("button");
  const said = box.querySelector("[role=status]");
  box.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    said.textContent = "Your device asks for your confirmation.";
    try {
      const credential = await use(await post("/sign-in/passkey/begin"));
      const { to } = await post("/sign-in/passkey", { next: document.querySelector("[name=next]").value, credential });
      location.assign(to);
    } catch (err) {
      said.textContent = refusal(err);
      button.disabled = false;
    }
  });
}
