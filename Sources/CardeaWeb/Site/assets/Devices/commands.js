// Sends one command and returns its result. "Confirmed" is only a result that the hub confirmed.

import { onSessionChange, session } from "../Sessions/session.js";
import { api, newKey } from "../Shell/api.js";
import { announce } from "../Shell/layout.js";
import { h, setText as show } from "../Shell/dom.js";
import { refresh } from "../Shell/liveData.js";
import { during } from "../Shell/components.js";
import { text } from "../Shell/text.js";
import { riskiestAction } from "./deviceKinds.js";

export const COMMAND_TIMEOUT = 10000;
/** The longest time of a command: its turn, its answer, and a garage door all the way up. */
const WAY = 65000;
const PLACE = "cardea-door-";
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const place = (entityId) => PLACE + entityId;
const age = (sent) => Date.now() - sent.at;

/** A door's command is stored until its result, so that a reload asks about the same one and never sends another. Old ones are dropped. */
export const pendingCommands = {
  get(entityId) {
    try {
      const sent = JSON.parse(sessionStorage.getItem(place(entityId)) || "null");
      return sent && age(sent) < WAY ? sent : null;
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
      // Nothing was stored.
    }
  },
  forget() {
    try {
      for (const name of Object.keys(sessionStorage)) if (name.startsWith(PLACE)) sessionStorage.removeItem(name);
    } catch {
      // Nothing was stored.
    }
  },
};

// A command is never sent in the name of the next person who signs in.
onSessionChange(() => pendingCommands.forget());

export const newCommand = (device, entity, action, value) => ({ key: newKey(), device_id: device.device_id, entity_id: entity.entity_id, action, value, at: Date.now() });

/**
 * Sends a command of `door` and waits for its result: `{ kind: confirmed|failed|unsure|refused|lost, words }`.
 * The person has to be at the door: after the lock's deadline nothing is sent again, whatever the connection does
 * and however long this device slept. A command that the hub is known to have is only asked about, up to its longest time.
 */
export async function runDoorCommand(door, sent, tell = () => {}) {
  let broke = true;
  pendingCommands.set(sent);
  try {
    while (age(sent) < (sent.arrived ? WAY : COMMAND_TIMEOUT)) {
      try {
        const body = await put(sent);
        return { kind: "confirmed", state: stateOf(body) };
      } catch (error) {
        broke = error.offline;
        if (!broke && error.code !== "in_flight") return outcome(door, error);
        if (!broke && !sent.arrived) pendingCommands.set(Object.assign(sent, { arrived: true }));
        tell(broke ? "nolink" : "waiting");
        await pause(broke ? 1000 : 600);
      }
    }
    return broke ? { kind: "lost", words: text.door.lost(door) } : { kind: "unsure", words: text.door.unsure(door) };
  } finally {
    pendingCommands.clear(sent.entity_id);
    refresh("devices");
  }
}

const put = (sent) => api("PUT", `/devices/${encodeURIComponent(sent.device_id)}/control`, { key: sent.key, body: { action: sent.action, entity_id: sent.entity_id, ...(sent.value !== undefined && { value: sent.value }) } });

/** The confirmed state, as one word. */
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

/** Lamps and the like: no waiting is shown; a refusal returns as words. */
export const sendAction = (device, entity, action, value) => sendCommand(newCommand(device, entity, action, value));

export async function sendCommand(sent) {
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

/** Shows that this person may not use `{ device, entity }`, as `now()` has them. On request it shows the hub's reason. */
export function deniedNotice(now, name, words) {
  const because = h("p", words), tell = (said) => {
    show(because, said);
    announce(said);
  };
  const ask = h("button.button.plain.flush", { "aria-label": `${text.device.why} ${name}`, onclick: () => during(ask, text.home.asking, async () => {
    const { device, entity } = now();
    const { checks } = await api("GET", `/access/explain?${new URLSearchParams({ person_id: session.me.person_id, device_id: device.device_id, entity_id: entity.entity_id, action: riskiestAction(entity).action })}`);
    tell((checks.find(({ passed }) => !passed) || { detail: text.device.mayAfterAll }).detail);
  }, (error) => tell(text.error(error))) }, text.device.why);
  return h("div.door-off.small", because, ask);
}
