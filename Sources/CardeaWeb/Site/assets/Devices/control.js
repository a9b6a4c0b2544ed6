// Sends one command and brings back what became of it. Asked is not done: "confirmed" is only what the hub confirmed.

import { api, newKey } from "../Shell/api.js";
import { refresh } from "../Shell/live.js";
import { text } from "../Shell/text.js";

export const DEADLINE = 10000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const place = (entityId) => `cardea-door-${entityId}`;

/** A door's command is kept until its outcome, so that a reload asks for the same one and never sends anew. */
export const under = {
  get(entityId) {
    try {
      return JSON.parse(sessionStorage.getItem(place(entityId)) || "null");
    } catch {
      return null;
    }
  },
  set(command) {
    try {
      sessionStorage.setItem(place(command.entity_id), JSON.stringify(command));
    } catch {
      // Without storage a reload forgets; the hub still opens only once per key.
    }
  },
  clear(entityId) {
    try {
      sessionStorage.removeItem(place(entityId));
    } catch {
      // Nothing was kept.
    }
  },
};

export const command = (device, entity, action, value) => ({ key: newKey(), device_id: device.device_id, entity_id: entity.entity_id, action, value, at: Date.now() });

/**
 * Carries a command of `door` to its outcome: `{ kind: confirmed|failed|unsure|refused|lost, words }`.
 * After the lock's deadline nothing is sent again, whatever the connection does.
 */
export async function carry(door, sent, tell = () => {}) {
  under.set(sent);
  try {
    for (;;) {
      try {
        const body = await put(sent);
        return { kind: "confirmed", state: stateOf(body) };
      } catch (error) {
        if (error.code === "in_flight" || error.offline) {
          if (Date.now() - sent.at > DEADLINE + (error.offline ? 0 : 3000)) return { kind: "lost", words: text.door.lost(door) };
          tell(error.offline ? "nolink" : "waiting");
          await pause(error.offline ? 1000 : 600);
          continue;
        }
        return outcome(door, error);
      }
    }
  } finally {
    under.clear(sent.entity_id);
    refresh("devices");
  }
}

const put = (sent) => api("PUT", `/devices/${encodeURIComponent(sent.device_id)}/control`, { key: sent.key, body: { action: sent.action, entity_id: sent.entity_id, ...(sent.value !== undefined && { value: sent.value }) } });

/** The state the hub confirmed, as one word. */
const stateOf = (body) => (body.new_state && typeof body.new_state === "object" ? body.new_state.state : body.new_state);

function outcome(door, error) {
  const words = text.door;
  if (error.code === "outcome_unknown") return { kind: "unsure", words: words.unsure(door), error };
  if (error.code === "action_execution_failed") {
    const reason = `${error.details.reason || ""} ${error.message}`.toLowerCase();
    return { kind: "failed", words: reason.includes("jam") ? words.jammed(door) : words.failed(door), error };
  }
  if (error.code === "conflict" && error.details.reason === "no_turn") return { kind: "failed", words: words.busy, error };
  if (error.code === "device_unreachable") return { kind: "failed", words: words.unreachable, error };
  return { kind: "refused", words: text.error(error), error };
}

/** Lamps and the like: no leaf, no waiting shown; a refusal comes back as words. */
export const act = (device, entity, action, value) => send(command(device, entity, action, value));

export async function send(sent) {
  try {
    const body = await put(sent);
    refresh("devices");
    return { ok: true, state: stateOf(body) };
  } catch (error) {
    const words = text.tile;
    const said = error.offline ? words.offline : { outcome_unknown: words.silent, action_execution_failed: words.failed, device_unreachable: words.unreachable }[error.code] || text.error(error);
    return { ok: false, words: said, error };
  }
}
