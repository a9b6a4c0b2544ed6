// What the devices are to a person: doors, tiles, states with a word, a drawing and a tone.

import { session } from "../Sessions/session.js";
import { capitalize, text } from "../Shell/text.js";
import { since, shortMoment } from "../Shell/relativeTime.js";
import { now, read } from "../Shell/time.js";

/** Colours with a name, as a lamp takes them. */
export const SWATCHES = Object.fromEntries(Object.entries({ warm: 2700, neutral: 4000, cold: 6000, red: [0, 90], orange: [28, 90], yellow: [52, 85], green: [120, 70], teal: [170, 75], blue: [222, 85], violet: [270, 75], pink: [315, 70], rose: [345, 55] })
  .map(([name, value]) => [name, value > 0 ? { temperature: value } : { hue: value[0], saturation: value[1] }]));

/** What it is; the contract's own type is the nearest of an older list. */
export const kindOf = ({ kind, entity_type }) => kind || entity_type;

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

/** Everything else one sees or switches; or, with `folded`, what only sets a device up or reports on it. */
export function tilesOf(devices, folded = false) {
  const doors = new Set(doorsOf(devices).map(({ entity }) => entity.entity_id));
  return devices.flatMap((device) => device.entities
    .filter((entity) => entity.is_enabled && !doors.has(entity.entity_id) && SHOWN.has(kindOf(entity)) && Boolean(entity.entity_category) === folded)
    .map((entity) => ({ device, entity, name: nameOf(device, entity) })));
}
const SHOWN = new Set(["light", "switch", "cover", "climate", "fan", "sensor", "binary_sensor", "button", "media", "valve", "alarm_control_panel", "event", "image"]);

/** One row or tile an entity. Where a command counts as opening a door now, it is made anew. */
export const keyOf = ({ entity }) => entity.entity_id + riskiestAction(entity)?.risk;

export const nameOf = (device, entity) => (device.entities.length > 1 && entity.name ? entity.name : device.name || entity.name);
/** What it can be told under that name, with its risk; nothing where it cannot. */
export const may = (entity, action) => entity.actions.find((one) => one.action === action || one.action.endsWith(`.${action}`));
export const openingAction = (entity) => (entity.entity_type === "lock" ? (may(entity, "unlock") ? "unlock" : may(entity, "open") ? "open" : null) : may(entity, "open") ? "open" : null);

/** The weightiest thing one can do with it, and the lightest. */
export const riskiestAction = ({ actions }) => actions.find(({ risk }) => risk === "open") || actions[0];
export const safestAction = ({ actions }) => actions.find(({ risk }) => risk !== "open") || actions[0];

/** Where an entity lists what one may choose for an action. */
const LISTS = { set_mode: "hvac_modes", set_preset: "preset_modes", set_effect: "effect_list", set_direction: "", arm: "supported_modes" };

/** `[value, word]` of what may be chosen for an action; nothing where the action takes no choice. */
export const choicesOf = ({ attributes }, action) => action in LISTS && (action === "set_direction" ? ["forward", "reverse"] : [].concat(attributes[LISTS[action]] || [])).map((value) => [value, text.tile.modes[value] || capitalize(String(value).replace(/_/g, " "))]);

/** Why this person may not do that, or null, as the gate has it: of what guards the house opening alone is kept for those who run it. Anybody who lives here shuts and locks it. */
export const denialReason = (device, deed) => (!session.can("control_devices") ? text.door.noRight : deed && deed.risk === "open" && device.is_security_device && !session.runsHouse ? text.door.strict : null);

/** An entity as it was last reported, where nobody knows how it is now; else nothing. */
export const lastReportOf = ({ last_reported: last, ...entity }) => last && entity.state === "unknown" && { ...entity, ...last, attributes: { ...entity.attributes, ...last.attributes } };

/** The state of a door: `{ id, word, drawing, tone, warm, note, changed }`. Never the hoped-for one. */
export function doorState({ device, entity, garage }) {
  const words = text.door.states;
  const kind = garage ? "g" : "d";
  const changed = read(device.state_changed_at);
  const note = changed ? since(changed) : "";
  const unsure = (id, note) => ({ id, word: entity.is_assumed ? text.assumed : words.unsure, drawing: `${kind}-unknown`, tone: "unknown", note });
  const last = lastReportOf(entity), said = last && text.lastReported(doorState({ device: { status: "online" }, entity: last, garage }).word, read(last.at));
  if (isSilent(device, entity) || device.status === "error") {
    const seen = read(device.last_seen);
    return unsure("silent", said || (entity.state === AWAY ? text.door.noAnswerNow : seen ? text.door.noAnswer(shortMoment(seen)) : text.door.noAnswerEver));
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
    default: return unsure("unsure", said || (entity.is_assumed ? text.door.never : ""));
  }
}

const AWAY = "unavailable";

/** True when the device does not answer, or says that this part of it does not. */
export const isSilent = ({ status }, { state }) => status === "offline" || state === AWAY;

/** A sensor that measures, as far as it said something yet. */
export const isNumericSensor = ({ state, ...entity }) => kindOf(entity) === "sensor" && Number.isFinite(parseFloat(state)) && Number.isFinite(Number(state));

/** Readings older than this say so. Sensors on batteries speak seldom, so an hour is not yet old for them. */
const OLD = 15 * 60000;
export function isStale(device, at = now()) {
  const seen = read(device.last_seen);
  return device.status === "offline" || (seen !== null && at - seen > OLD);
}
