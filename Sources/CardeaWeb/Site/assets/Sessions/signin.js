// The sign-in form, as a page and as a dialog over other pages.

import { accept, api, brand, countdown, during, field, fill, h, icon, formError, setText, requireValue, sending, session, text } from "../Shell/ui.js";
import { readBody } from "../Shell/api.js";
import { createKey, proofHeaders } from "./sessionKey.js";
import { canUsePasskeys, isCancelled, getPasskey } from "./passkey.js";
import { passwordField } from "./password.js";

/** Signs in at `path` with these credentials. The session is bound to a new key of this browser, if it can store one. */
export async function signIn(path, shown) {
  const key = await createKey();
  const answer = await api("POST", path, { body: { ...shown, cookie: Boolean(key) }, headers: await proofHeaders(key, `/api/v1${path}`), raw: true });
  if (key) key.nonce = answer.headers.get("DPoP-Nonce");
  await accept(await readBody(answer.json()), key);
}

/** Passkey, user name and password, and below them a recovery code; calls `done` after success. */
export function signInForm({ username, done, recovered = done }) {
  const name = field(text.claim.username, { name: "username", autocomplete: "username", autocapitalize: "none", spellcheck: "false", required: true, value: username || "" });
  const password = passwordField(text.claim.password);
  const said = h("div.form-said", { role: "alert" });
  const button = h("button.button.filled.wide", { type: "submit" }, text.signIn.do);
  const key = canUsePasskeys() && h("button.button.outlined.wide", { onclick: () => during(key, text.signIn.doing, async () => {
    fill(said);
    await signIn("/auth/passkeys/login/verify", { credential: await getPasskey() });
    await done();
  }, (error) => {
    if (error.status === 429) return throttled(said, button, error.retryAfter);
    fill(said, formError(error, isCancelled(error) ? text.signIn.noPasskey : error.status === 401 ? text.signIn.passkeyRefused : undefined));
  }) }, icon("key", "i18"), text.signIn.passkey);
  return h("div", sending(button, () => {
    if (!name.value) return name.input.focus();
    if (!password.value) return password.input.focus();
    fill(said);
    during(button, text.signIn.doing, async () => {
      await signIn("/auth/login", { username: name.value.trim(), password: password.value });
      await done();
    }, (error) => {
      if (error.status === 429) return throttled(said, button, error.retryAfter);
      fill(said, formError(error, error.status === 401 ? text.signIn.wrong : undefined));
      password.input.select();
      password.input.focus();
    });
  }, why(), said, key, name.node, password.node, button), recovery(recovered));
}

/** Notes about this browser and its address. */
function why() {
  const words = session.unbound ? text.signIn.unbound : !isSecureContext && text.signIn.insecure;
  return words && h("p.small.third", words);
}

/** Signing in with a recovery code. The code identifies the person, so there is no user name. */
function recovery(done) {
  const code = field(text.signIn.recoveryCode, { name: "recovery-code", autocomplete: "off", autocapitalize: "characters", spellcheck: "false" }, { help: text.signIn.recoveryHelp, tag: "input.mono" });
  const said = h("div.form-said", { role: "alert" });
  const button = h("button.button.outlined.wide", { type: "submit" }, text.signIn.recoveryDo);
  return h("details.fold", h("summary", text.signIn.recovery), sending(button, () => {
    fill(said);
    if (!requireValue(code, text.signIn.recoveryMissing)) return;
    during(button, text.signIn.doing, async () => {
      await signIn("/auth/recovery", { code: code.value.trim() });
      session.recoveredAt = Date.now();
      await done();
    }, (error) => {
      if (error.status === 429) return throttled(said, button, error.retryAfter);
      if (error.status === 401) code.error(text.signIn.recoveryWrong);
      else fill(said, formError(error));
      code.input.select();
      code.input.focus();
    });
  }, said, code.node, button));
}

/** The countdown enables the button by itself. */
function throttled(said, button, seconds) {
  const end = Date.now() + (seconds || 30) * 1000;
  const line = h("p");
  fill(said, icon("clock", "i18"), line);
  const tick = () => {
    const left = end - Date.now();
    if (left <= 0) {
      fill(said);
      button.removeAttribute("aria-disabled");
      return;
    }
    setText(line, text.signIn.throttled(countdown(left)));
    button.setAttribute("aria-disabled", "true");
    if (button.isConnected) setTimeout(tick, 500);
  };
  setTimeout(tick, 0);
}

export async function open({ welcome }) {
  const to = location.pathname === "/sign-in" ? null : location.pathname + location.search;
  return {
    title: text.signIn.title,
    node: h("div.card", brand(), h("h1", { tabindex: "-1" }, text.signIn.title), signInForm({ done: () => welcome(to), recovered: () => welcome("/settings/account") })),
  };
}
