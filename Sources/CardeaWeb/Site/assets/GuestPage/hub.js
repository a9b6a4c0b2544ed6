// The guest family of the hub, as answers instead of status codes.

import { now } from "../Shell/time.js";

/** `{ ok, status, body }`; throws only when nothing answered. */
async function call(method, path, { token, body, key } = {}) {
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (key) headers["Idempotency-Key"] = key;
  if (body) headers["Content-Type"] = "application/json";
  const answer = await fetch(`/api/guest_access/${path}`, { method, headers, body: body && JSON.stringify(body), cache: "no-store", credentials: "omit" });
  let content = {};
  try {
    content = await answer.json();
  } catch {
    // Not the hub's words; the status says enough.
  }
  if (answer.status === 502 || (answer.status === 503 && !content.error)) throw new TypeError("no hub behind the gateway");
  const retry = Number(answer.headers.get("Retry-After"));
  if (retry && content.retry_after === undefined) content.retry_after = retry;
  return { ok: answer.status === 200, status: answer.status, body: content, error: content.error };
}

export const scanned = (code) => call("POST", "pair/scanned", { body: { pairing_code: code } });
export const pair = (code, key) => call("POST", "pair", { body: { pairing_code: code }, key });
export const pass = (token) => call("GET", "pass", { token });
export const states = (token) => call("GET", "states", { token });
export const act = (token, command) => call("POST", "action", { token, key: command.key, body: { action: command.action, entity_id: command.entity_id } });

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const DEADLINE = 10000;

/**
 * Carries one door command to its outcome. It is sent again, under the same key, only for the ten seconds its person
 * still stands there; after that nothing is sent. `tell` hears "waiting", "nolink", and `{ until }` while nobody said yes.
 */
export async function carry(token, command, tell, remember) {
  for (;;) {
    const late = Date.now() - command.at > DEADLINE;
    const asked = command.until && now() < command.until + 2000;
    if (late && !asked && !command.fresh) return { kind: command.until ? "unanswered" : "lost" };
    command.fresh = false;
    let answer;
    try {
      answer = await act(token, command);
    } catch {
      tell("nolink");
      await pause(1000);
      continue;
    }
    const { status, body, error } = answer;
    if (status === 200) return { kind: "open", body };
    if (status === 202) {
      command.until = body.expires_at ? body.expires_at * 1000 : command.until || now() + 120000;
      remember(command);
      tell({ until: command.until });
      await pause(Math.min(5, Math.max(1, Number(body.retry_after) || 2)) * 1000);
      continue;
    }
    if (status === 409) {
      tell("waiting");
      // Our own first try is still under way: wait for it, never past the lock's deadline.
      if (Date.now() - command.at > DEADLINE + 3000 && !asked) return { kind: "unsure", body };
      command.fresh = true;
      await pause(600);
      continue;
    }
    if (status === 504) return { kind: "unsure", body };
    if (status === 503 || error === "action_execution_failed") return { kind: "failed", body };
    if (status >= 500) return { kind: "lost", body };
    return { kind: "refused", error, body };
  }
}
