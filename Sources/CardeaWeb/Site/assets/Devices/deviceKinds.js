// Devices as people know them: doors, tiles, and states with a word, a drawing and a tone.

import { session } from "../Sessions/session.js";
import { capitalize, text } from "../Shell/text.js";
import { since, shortMoment } from "../Shell/relativeTime.js";
import { now, read } from "../Shell/time.js";

/** Named colors, as a lamp takes them. */
export const SWATCHES = Object.fromEntries(Object.entries({ warm: 2700, neutral: 4000, cold: 6000, red: [0, 90], orange: [28, 90], yellow: [52, 85], green: [120, 70], teal: [170, 75], blue: [222, 85], violet: [270, 75], pink: [315, 70], rose: [345, 55] })
  .map(([name, value]) => [name, value > 0 ? { temperature: value } : { hue: value[0], saturation: value[1] }]));

/** The kind of an entity; the API's own type is the nearest of an older list. */
export const kindOf = ({ kind, entity_type }) => kind || entity_type;

const DOORLIKE = new Set(["garage", "garage_door", "gate", "door"]);

/** All doors of the house, as `{ device, entity, garage }`. A cover is a door if opening it lets someone in. */
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

/** All other entities on Home; with `folded`, those that only set a device up or report on it. */
export function tilesOf(devices, folded = false) {
  const doors = new Set(doorsOf(devices).map(({ entity }) => entity.entity_id));
  return devices.flatMap((device) => device.entities
    .filter((entity) => entity.is_enabled && !doors.has(entity.entity_id) && SHOWN.has(kindOf(entity)) && Boolean(entity.entity_category) === folded)
    .map((entity) => ({ device, entity, name: nameOf(device, entity) })));
}
const SHOWN = new Set(["light", "switch", "cover", "climate", "fan", "sensor", "binary_sensor", "button", "media", "valve", "alarm_control_panel", "event", "image"]);

/** The key of a row or tile. It changes when a command begins to count as opening a door, so that the row is built again. */
export const keyOf = ({ entity }) => entity.entity_id + riskiestAction(entity)?.risk;

export const nameOf = (device, entity) => (device.entities.length > 1 && entity.name ? entity.name : device.name || entity.name);
/** The command of an entity with that name, with its risk; undefined if it has none. */
export const may = (entity, action) => entity.actions.find((one) => one.action === action || one.action.endsWith(`.${action}`));
export const openingAction = (entity) => (entity.entity_type === "lock" ? (may(entity, "unlock") ? "unlock" : may(entity, "open") ? "open" : null) : may(entity, "open") ? "open" : null);

/** The actions of an entity with the highest and the lowest risk. */
export const riskiestAction = ({ actions }) => actions.find(({ risk }) => risk === "open") || actions[0];
export const safestAction = ({ actions }) => actions.find(({ risk }) => risk !== "open") || actions[0];

/** The attribute in which an entity lists the choices of an action. */
const LISTS = { set_mode: "hvac_modes", set_preset: "preset_modes", set_effect: "effect_list", set_direction: "", arm: "supported_modes" };

/** `[value, word]` of the choices of an action; undefined if the action takes none. */
export const choicesOf = ({ attributes }, action) => action in LISTS && (action === "set_direction" ? ["forward", "reverse"] : [].concat(attributes[LISTS[action]] || [])).map((value) => [value, text.tile.modes[value] || capitalize(String(value).replace(/_/g, " "))]);

/** The reason why this person may not do that, or null, by the hub's rules: of guarded devices only opening is kept for owners and admins. Every resident may shut and lock them. */
export const denialReason = (device, deed) => (!session.can("control_devices") ? text.door.noRight : deed && deed.risk === "open" && device.is_security_device && !session.runsHouse ? text.door.strict : null);

/** An entity as last reported, if its state is not known now; otherwise undefined. */
export const lastReportOf = ({ last_reported: last, ...entity }) => last && entity.state === "unknown" && { ...entity, ...last, attributes: { ...entity.attributes, ...last.attributes } };

/** The state of a door: `{ id, word, drawing, tone, warm, note, changed }`. Never the requested one. */
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

/** True if the device does not answer, or reports that this part of it does not. */
export const isSilent = ({ status }, { state }) => status === "offline" || state === AWAY;

/** A sensor that measures, once it has reported a value. */
export const isNumericSensor = ({ state, ...entity }) => kindOf(entity) === "sensor" && Number.isFinite(parseFloat(state)) && Number.isFinite(Number(state));

/** Older readings show their age. Sensors on batteries report seldom, so an hour is not yet old for them. */
const OLD = 15 * 60000;
export function isStale(device, at = now()) {
  const seen = read(device.last_seen);
  return device.status === "offline" || (seen !== null && at - seen > OLD);
}
