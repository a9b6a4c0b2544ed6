// "Confirm it is you": asked before risky actions. Afterwards the interrupted action continues by itself.

import { api, during, fill, h, formError, sending, session, sheet, text } from "../Shell/ui.js";
import { canUsePasskeys, isCancelled, getPasskey } from "./passkey.js";
import { passwordField } from "./password.js";

const words = text.stepUp;
let asking = null;

/** True if the person confirmed with a password or a passkey; one dialog at a time. */
export function stepUp({ methods = ["password"] } = {}) {
  if (!asking) asking = ask(methods).finally(() => (asking = null));
  return asking;
}

async function ask(methods) {
  const answer = await sheet(words.title, (close) => {
    const said = h("div.form-said", { role: "alert" });
    const password = passwordField(text.claim.password, { name: "step-up-password" });
    const send = (body) => api("POST", "/auth/step-up", { body }).then(() => close("yes"));
    const wrong = (error) => {
      if (isCancelled(error)) return;
      fill(said, formError(error, error.code === "invalid_credentials" ? words.wrong : undefined));
    };
    const key = methods.includes("passkey") && canUsePasskeys() && h("button.button.filled.wide", { onclick: () => during(key, words.doing, async () => send({ credential: await getPasskey() }), wrong) }, words.passkey);
    const button = h(`button.button.${key ? "tonal" : "filled"}`, { type: "submit" }, words.do);
    return [h("p.third.sheet-sub", words.lead), said, key && h("p", key), sending(button, () => {
      if (!password.value) return password.input.focus();
      fill(said);
      during(button, words.doing, () => send({ password: password.value }), (error) => {
        wrong(error);
        password.input.select();
      });
    }, h("input", { type: "text", name: "username", autocomplete: "username", value: (session.me && session.me.username) || "", hidden: true, readonly: true }), password.node,
    h("div.row-buttons", button, h("button.button.outlined", { onclick: () => close("") }, text.cancel)))].filter(Boolean);
  });
  return answer === "yes";
}
