// What was wanted of a lamp while the house could not be reached. It is sent when the house answers again, taken back, or
// given up; it lives in this page alone. Doors never wait here, and neither does what means another thing each time.

import { onSession } from "../Sessions/session.js";
import { followConnection } from "../Shell/live.js";
import { command, send } from "./control.js";

const PATIENCE = 5 * 60000;
const LASTING = /^(on|off|open|close|set_\w+)$/;
const waiting = new Map();

/** What the entity waits for: `{ until, hoped }`, or undefined. */
export const queued = (entityId) => waiting.get(entityId);

/** True for what still means the same in five minutes, and lets nobody in. */
export const mayWait = (entity, action) => LASTING.test(action) && entity.actions.some((one) => one.action === action && one.risk === "control");

/** Puts a wish in the place of the one before it. `done(result)` hears what became of it; nothing is heard of one taken back. */
export function wait(device, entity, action, value, hoped, done) {
  undo(entity.entity_id);
  place({ sent: command(device, entity, action, value), until: Date.now() + PATIENCE, hoped, done });
}

export function undo(entityId) {
  clearTimeout((queued(entityId) || {}).timer);
  waiting.delete(entityId);
}

function place(one) {
  one.timer = setTimeout(() => {
    undo(one.sent.entity_id);
    one.done({ ok: false, gaveUp: true });
  }, one.until - Date.now());
  waiting.set(one.sent.entity_id, one);
}

followConnection((state) => {
  if (state) return;
  for (const one of [...waiting.values()]) {
    undo(one.sent.entity_id);
    // Gone again meanwhile: it waits on under its key, so that what arrived after all is not done twice.
    send(one.sent).then((result) => (result.error && result.error.offline && one.until > Date.now() && !queued(one.sent.entity_id) ? place(one) : one.done(result)));
  }
});

// Nobody's wish is sent in the name of the next one who signs in.
onSession(() => [...waiting.keys()].forEach(undo));
