// What the devices are to a person: doors, tiles, states with a word, a drawing and a tone.

import { session } from "../Sessions/session.js";
import { text } from "../Shell/text.js";
import { since, shortMoment } from "../Shell/ages.js";
import { now, read } from "../Shell/time.js";

/** Colours with a name, as a lamp takes them. */
export const SWATCHES = Object.fromEntries(Object.entries({ warm: 2700, neutral: 4000, cold: 6000, red: [0, 90], orange: [28, 90], yellow: [52, 85], green: [120, 70], teal: [170, 75], blue: [222, 85], violet: [270, 75], pink: [315, 70], rose: [345, 55] })
  .map(([name, value]) => [name, value > 0 ? { temperature: value } : { hue: value[0], saturation: value[1] }]));

const DOORLIKE = new Set(["garage", "garage_door", "gate", "door"]);

/** Every door of the house, as `{ device, entity, garage }`. A cover is a door when opening it lets someone in. */
export function doorsOf(devices) {
  const found = [];
  for (const device of devices) {
    for (const entity of device.entities) {
      if (!entity.is_enabled) continue;
      const risky = entity.actions.some((one) => one.risk === "open");
      if (entity.entity_type === "lock" || (entity.entity_type === "cover" && (risky || DOORLIKE.has(entity.device_class)))) {
        found.push({ device, entity, name: nameOf(device, entity), garage: entity.entity_type === "cover" && entity.device_class !== "door" && entity.device_class !== "gate" });
      }
    }
  }
  return found;
}

/** Everything else one sees or switches. */
export function tilesOf(devices) {
  const doors = new Set(doorsOf(devices).map(({ entity }) => entity.entity_id));
  return devices.flatMap((device) => device.entities
    .filter((entity) => entity.is_enabled && !doors.has(entity.entity_id) && SHOWN.has(entity.entity_type))
    .map((entity) => ({ device, entity, name: nameOf(device, entity) })));
}
const SHOWN = new Set(["light", "switch", "cover", "climate", "fan", "sensor", "binary_sensor", "button", "media"]);

export const nameOf = (device, entity) => (device.entities.length > 1 && entity.name ? entity.name : device.name || entity.name);
/** What it can be told under that name, with its risk; nothing where it cannot. */
export const may = (entity, action) => entity.actions.find((one) => one.action === action || one.action.endsWith(`.${action}`));
export const opens = (entity) => (entity.entity_type === "lock" ? (may(entity, "unlock") ? "unlock" : may(entity, "open") ? "open" : null) : may(entity, "open") ? "open" : null);

/** The weightiest thing one can do with it. */
export const heaviest = ({ actions }) => actions.find(({ risk }) => risk === "open") || actions[0];

/** Why this person may not do that, or null, as the gate has it: of what guards the house opening alone is kept for those who run it. Anybody who lives here shuts and locks it. */
export const refused = (device, deed) => (!session.can("control_devices") ? text.door.noRight : deed && deed.risk === "open" && device.is_security_device && !session.runsHouse ? text.door.strict : null);

/** The state of a door: `{ id, word, drawing, tone, warm, note, changed }`. Never the hoped-for one. */
export function doorState({ device, entity, garage }) {
  const words = text.door.states;
  const kind = garage ? "g" : "d";
  const changed = read(device.state_changed_at);
  const note = changed ? since(changed) : "";
  if (device.status === "offline" || device.status === "error") {
    const seen = read(device.last_seen);
    return { id: "silent", word: words.unsure, drawing: `${kind}-unknown`, tone: "unknown", note: seen ? text.door.noAnswer(shortMoment(seen)) : text.door.noAnswerEver };
  }
  const of = (id, drawing, tone, warm) => ({ id, word: words[id], drawing: `${kind}-${drawing}`, tone, warm, note, changed });
  switch (entity.state) {
    case "locked": return of("locked", garage ? "shut" : "locked", "accent");
    case "closed": return of("shut", garage ? "shut" : "unlocked", "accent");
    case "unlocked": return of("unlocked", garage ? "open" : "unlocked", "brass");
    case "open": {
      const position = Number(entity.attributes.position);
      const state = of("open", "open", "brass", "brass");
      if (entity.entity_type === "cover" && position > 0 && position < 100) state.word = text.door.openPart(position);
      return state;
    }
    case "jammed": return of("jammed", "jammed", "danger", "danger");
    case "locking": case "unlocking": case "opening": case "closing": return { ...of(entity.state, "moving", "info"), id: "moving" };
    case "stopped": return { ...of("stopped", "open", "brass", "brass"), id: "open" };
    default: return of("unsure", "unknown", "unknown");
  }
}

/** A sensor that measures, as far as it said something yet. */
export const tellsNumbers = ({ entity_type, state }) => entity_type === "sensor" && Number.isFinite(parseFloat(state)) && Number.isFinite(Number(state));

/** Readings older than this say so. Sensors on batteries speak seldom, so an hour is not yet old for them. */
const OLD = 15 * 60000;
export function isOld(device, at = now()) {
  const seen = read(device.last_seen);
  return device.status === "offline" || (seen !== null && at - seen > OLD);
}
