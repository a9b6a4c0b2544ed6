// The pass of this browser: what is kept of it here, and what the hub says to it.

import { now } from "../Shell/time.js";

/** One value in a storage of this browser; where storage is denied, a reload forgets it. */
const kept = (storage, name) => ({
  get() {
    try {
      return JSON.parse(window[storage][name]);
    } catch {}
  },
  set(value) {
    try {
      window[storage][name] = JSON.stringify(value);
    } catch {}
  },
});

/** `{ token, pass, code }`. */
export const mine = kept("localStorage", "cardea-guest-pass");
/** The pairing or the door command under way; a reload asks for the same one, under the same key. */
export const pending = kept("sessionStorage", "cardea-guest-command");
/** A key no other command has: 128 random bits. */
export const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** `{ ok, status, body, error }`; throws only when nothing answered. */
async function call(path, token, sent, key) {
  const headers = { "Content-Type": "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (key) headers["Idempotency-Key"] = key;
  const answer = await fetch(`/api/guest_access/${path}`, { method: sent ? "POST" : "GET", headers, body: sent && JSON.stringify(sent), cache: "no-store", credentials: "omit" });
  const { status } = answer;
  const body = await answer.json().catch(() => ({}));
  // A gateway without its hub.
  if (status > 501 && !body.error) throw new TypeError();
  return { ok: status === 200, status, body, error: body.error };
}

export const scanned = (code) => call("pair/scanned", null, { pairing_code: code });
export const pair = (code) => call("pair", null, { pairing_code: code });
export const standing = (token) => call("pass", token);
export const act = (token, { action, entity_id, key }) => call("action", token, { action, entity_id }, key);

export const DEADLINE = 10000;

/**
 * Carries one door command to its outcome. It is sent again, under the same key, only for the ten seconds its person
 * still stands there; after that nothing is sent. `tell` hears "waiting", "nolink", or until when a yes may still come.
 */
export async function carry(token, command, tell) {
  for (;;) {
    const late = Date.now() - command.at > DEADLINE;
    const asked = command.until && now() < command.until + 2000;
    if (late && !asked && !command.fresh) return { kind: command.until ? "unanswered" : "lost" };
    command.fresh = false;
    try {
      const { status, body, error } = await act(token, command);
      if (status === 200) return { kind: "open", body };
      if (status === 202) {
        command.until = body.expires_at * 1000;
        pending.set(command);
        tell(command.until);
        await pause(2000);
      } else if (error === "in_flight") {
        // Our own first try is still under way: wait for it, never past the lock's deadline.
        if (Date.now() - command.at > DEADLINE + 3000 && !asked) return { kind: "unsure", body };
        tell("waiting");
        command.fresh = true;
        await pause(600);
      } else {
        if (status === 504) return { kind: "unsure", body };
        if (error === "internal_error") return { kind: "lost" };
        return { kind: status < 500 ? "refused" : "failed", error, body };
      }
    } catch {
      tell("nolink");
      await pause(1000);
    }
  }
}
