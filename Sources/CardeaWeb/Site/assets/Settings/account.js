// One's own way in: where one is signed in, passkeys, recovery codes, and a new password, which ends the other sessions.

import { api, during, fill, h, mistake, pageHead, section, session, text } from "../Shell/kit.js";
import { passwordField } from "../Sessions/password.js";
import { passkeys } from "./passkeys.js";
import { recoveryCodes } from "./recoveryCodes.js";
import { sessions } from "./sessions.js";

const words = text.settings;
const FIVE_MINUTES = 300000;

export async function open({ until, say, alarm }) {
  const recovered = Date.now() - session.recoveredAt < FIVE_MINUTES;
  const current = passwordField(words.current, { name: "current" });
  const fresh = passwordField(words.fresh, { fresh: true, help: text.claim.passwordHelp, name: "fresh" });
  const said = h("div.form-said", { role: "alert" });
  const button = h("button.button.filled", { type: "submit" }, words.changePassword);
  const form = h("form.form", { novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    if (button.getAttribute("aria-disabled") === "true") return;
    fill(said);
    const asksOld = !current.node.hidden;
    current.error(current.value || !asksOld ? null : `${words.current}?`);
    fresh.error(fresh.value.length < 8 ? text.claim.passwordHelp : null);
    if (asksOld && !current.value) return current.input.focus();
    if (fresh.value.length < 8) return fresh.input.focus();
    during(button, text.saving, async () => {
      await api("PUT", "/people/me/password", { body: { ...(asksOld && { current_password: current.value }), new_password: fresh.value } });
      session.recoveredAt = 0;
      form.replaceWith(h("p", { role: "status" }, words.changed));
      say(words.changed);
    }, (error) => {
      if (error.code === "invalid_credentials") {
        current.error(words.wrongCurrent);
        return current.input.focus();
      }
      fill(said, mistake(error));
    });
  } }, said, h("input", { type: "text", name: "username", autocomplete: "username", value: session.me.username || "", hidden: true, readonly: true }), recovered && h("p.third", words.recovered), current.node, fresh.node, h("div.row-buttons", button));
  current.node.hidden = recovered;
  const change = section(words.changePassword, {}, form);
  return { title: words.account, node: h("div.narrow", pageHead(words.account, { back: "/settings", sub: session.me.name }), recovered && change, sessions({ until, say, alarm }), passkeys({ until, say, alarm }), recoveryCodes({ until, say, alarm }), !recovered && change) };
}
