// The pass of this browser: what is kept of it here, and what the hub says to it.

import { now } from "../Shell/time.js";
import { mine } from "./kept.js";
import { answered, phone, show, sign } from "./proof.js";

/** The pairing or the door command under way; a reload asks for the same one, under the same key. Where storage is denied, it forgets it. */
export const pending = {
  get() {
    try {
      return JSON.parse(sessionStorage["cardea-guest-command"]);
    } catch {}
  },
  set(value) {
    try {
      sessionStorage["cardea-guest-command"] = JSON.stringify(value);
    } catch {}
  },
};
/** A key no other command has: 128 random bits. */
export const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** `{ ok, status, body, error }`; throws only when nothing answered. */
async function call(path, token, sent, key, proof) {
  const headers = { "Content-Type": "application/json", ...proof };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (key) headers["Idempotency-Key"] = key;
  const answer = await fetch(`/api/${path}`, { method: sent ? "POST" : "GET", headers, body: sent && JSON.stringify(sent), cache: "no-store", credentials: "omit" });
  const { status } = answer;
  const body = await answer.json().catch(() => ({}));
  // A gateway without its hub.
  if (status > 501 && !body.error) throw new TypeError();
  return { ok: status === 200, status, body, error: body.error };
}

export const scanned = (code) => call("guest_access/pair/scanned", null, { pairing_code: code });
/** Asked again while the house has not said yes, it is the same phone that asks: by its key, or by what the first answer gave it. */
export async function pair(code, passkey) {
  const asked = pending.get();
  const { claim_secret, ask_again } = asked && asked.code === code ? asked : {};
  const answer = await call("guest_access/pair", null, { pairing_code: code, ...(await phone(code)), claim_secret, ask_again, passkey });
  if (answer.status === 202) pending.set({ code, ask_again, claim_secret: answer.body.claim_secret || claim_secret, passkey });
  else {
    pending.set(null);
    await answered();
  }
  return answer;
}
export const standing = (token) => call("guest_access/pass", token);
/** The pass of this phone's passkey, bound to a new key; throws where the guest put the question away. */
export async function restore() {
  const { body } = await call("v1/auth/passkeys/login/options", null, {});
  const credential = await show(Uint8Array.from(atob(body.public_key.challenge.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0)));
  return call("guest_access/restore", null, { credential, ...(await phone()) });
}
/** The phone that the pass is bound to, where it is bound. */
const device = () => (mine.now || { pass: {} }).pass.device_id;

/** Proven by this browser's key where the pass is bound to it; once more, with a new nonce, where the house did not take the proof. */
export async function act(token, command) {
  const { action, entity_id, key } = command, path = "guest_access/action", sent = { action, entity_id };
  for (let last = !device(), proof; ; last = true) {
    if (device()) {
      const since = Date.now();
      const nonce = await call(`${path}/nonce`, token);
      if (!nonce.ok) return nonce;
      // Nobody stands at the door any more.
      if (Date.now() - since > 8000) throw new TypeError();
      // Verified once for one opening: asked again, the same one is known by its key.
      const verified = mine.now.pass.presence === "verified" && !command.shown;
      proof = await sign(device(), `/api/${path}`, JSON.stringify(sent), nonce.body, verified);
    }
    const answer = await call(path, token, sent, key, proof);
    if (answer.status !== 401) command.shown = true;
    // A proof that was used was heard.
    if (last || answer.status !== 401 || !/^action_(?!proof_replay)/.test(answer.error)) return answer;
  }
}

/** The line on which the house tells what happens to the pass: `live` while it stands; `wake` is called at news of a command. */
export const line = { live: false, wake() {} };
const wake = () => line.wake();

/** Takes the line up. Where it is lost the next look takes it up again, if the pass may listen then. Without a line the pass is looked at by time. */
export async function listen(page) {
  if (line.on) return;
  line.on = true;
  // The pass may have ended, or rests. Not before the look after this one: a house that is away, or says no, is not asked without end.
  const lost = async () => {
    line.live = false;
    await page.look();
    line.on = false;
  };
  try {
    const { body } = await call("v1/realtime/ticket", page.mine.token, {});
    const socket = new WebSocket(`${location.origin.replace("http", "ws")}/api/v1/realtime`);
    socket.onopen = () => socket.send(JSON.stringify({ type: "subscribe", ticket: body.ticket }));
    socket.onclose = lost;
    socket.onmessage = ({ data }) => {
      const { type } = JSON.parse(data);
      line.live = true;
      if (type === "command_update") wake();
      if (type === "guest_update") page.look();
    };
  } catch {
    lost();
  }
}

export const DEADLINE = 10000;

/** Takes back what waits for the house's yes; whether that was in time, the command's own outcome tells. */
export const takeBack = (token, { id }) => call("guest_access/action/cancel", token, { command_id: id }).then(wake, wake);

/**
 * Carries one door command to its outcome. It is sent again, under the same key, only for the ten seconds its person
 * still stands there; after that the house is only asked, once more, for what it is known to have. `tell` hears "waiting", "nolink", or until when a yes may still come.
 */
export async function carry(token, command, tell) {
  const asked = () => command.until && now() < command.until + 2000;
  for (;;) {
    if (Date.now() - command.at > DEADLINE && !asked() && !command.fresh) return { kind: "lost" };
    command.fresh = false;
    try {
      const { status, body, error } = await act(token, command);
      // A yes that was said while this phone slept may be old: whether the door is still open nobody knows.
      if (status === 200) return { kind: command.until && !asked() ? "unsure" : "open", broke: true, body };
      if (status === 202) {
        command.until = body.expires_at * 1000;
        command.id = body.command_id;
        command.asks = body.message;
        command.fresh = true;
        pending.set(command);
        tell(command.until);
        await Promise.race([pause(line.live ? 9000 : 2500), new Promise((done) => (line.wake = done))]);
      } else if (error === "in_flight") {
        // Our own first try is still under way: wait for it, never longer than a garage door takes.
        if (Date.now() - command.at > 65000 && !asked()) return { kind: "unsure", body };
        tell("waiting");
        command.fresh = true;
        // The house gives a phone thirty nonces a minute.
        await pause(device() ? 2500 : 600);
      } else {
        if (status === 504) return { kind: "unsure", body };
        if (error === "internal_error") return { kind: "lost" };
        return { kind: status < 500 ? "refused" : "failed", error, body };
      }
    } catch (error) {
      // The guest put the phone's question away.
      if (error instanceof DOMException) return { kind: "refused", error: "presence_required", body: {} };
      tell("nolink");
      await pause(1000);
    }
  }
}
