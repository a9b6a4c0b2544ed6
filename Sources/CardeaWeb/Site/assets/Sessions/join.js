// Someone who lives here accepts the invite: a name to sign in with, and a password.

import { accept, api, brand, during, field, fill, folded, h, icon, text } from "../Shell/kit.js";
import { passwordField } from "./password.js";

const words = text.join;

let token = "";

export async function open({ welcome }) {
  // Read once, and gone from the address: whoever looks over a shoulder or into the history finds no invitation.
  token = decodeURIComponent(location.hash.slice(1)) || token;
  if (token) history.replaceState(null, "", location.pathname);
  const username = field(text.claim.username, { name: "username", autocomplete: "username", autocapitalize: "none", spellcheck: "false", required: true, maxlength: "64" }, { help: text.claim.usernameHelp });
  const password = passwordField(text.claim.password, { fresh: true, help: text.claim.passwordHelp });
  const said = h("div.form-said", { role: "alert" });
  const button = h("button.button.filled.wide", { type: "submit" }, words.do);
  const form = h("form.form", { novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    if (button.getAttribute("aria-disabled") === "true") return;
    username.error(username.value.trim() ? null : `${text.claim.username}?`);
    password.error(password.value.length < 8 ? text.claim.passwordHelp : null);
    if (!username.value.trim()) return username.input.focus();
    if (password.value.length < 8) return password.input.focus();
    fill(said);
    during(button, words.doing, async () => {
      accept(await api("POST", "/people/accept", { body: { invite_token: token, username: username.value.trim(), password: password.value, cookie: true } }));
      await welcome("/");
    }, (error) => {
      if (error.code === "conflict") {
        username.error(words.taken);
        return username.input.focus();
      }
      const gone = error.status === 401 || error.status === 404 || error.status === 410;
      fill(said, icon("alert", "i18"), h("div", h("p", gone ? words.used : text.error(error)), gone && h("p.small", words.usedBody), folded(error)));
    });
  } }, said, username.node, password.node, button);
  return {
    title: words.title,
    node: token
      ? h("div.card", brand(), h("h1", { tabindex: "-1" }, words.title), h("p.third", words.lead), form)
      : h("div.card", brand(), h("h1", { tabindex: "-1" }, words.used), h("p.third", words.usedBody), h("p", h("a.button.filled", { href: "/sign-in" }, text.signIn.do))),
  };
}
