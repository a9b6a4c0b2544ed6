// The buttons and tags of the house, and the words for what they do.

import { h, icon, known, text, topic } from "../Shell/ui.js";
import { tags as words } from "./words.js";

export const buttons = topic("/buttons", 10000, (body) => body.buttons, (type) => type === "button_update");
/** A tap is a command, and changes the tag's last use. */
export const tags = topic("/tags", 10000, (body) => body.tags, (type) => /^(tag|button|command)_update$/.test(type));
export const policy = topic("/tags/policy", 10000, (body) => body, (type, data) => type === "tag_update" && !data.tag_id);

/** True if this browser writes tags: Chrome on Android does. */
export const canWrite = () => "NDEFReader" in window;

export const MAX_TAGS = 3;
/** The number of places shown when there are fewer buttons. */
export const MIN_TILES = 4;

export const deviceOf = (button) => (known("devices") || []).find((one) => one.device_id === button.action.device_id);
const entityOf = (button) => {
  const device = deviceOf(button), { entity_id: id, action } = button.action;
  return device && device.entities.find((one) => (id ? one.entity_id === id : one.actions.some((does) => does.action === action)));
};

/** "open" for actions that open a door, and for unknown ones. */
export function riskOf(button) {
  if (button.publish) return button.publish.risk;
  const entity = entityOf(button), does = entity && entity.actions.find((one) => one.action === button.action.action);
  return does ? does.risk : "open";
}

/** The action on a device: "Unlock". */
export const verbOf = ({ publish, action }) => (publish ? undefined : text.verbs[action.action]);

/** "Unlock · Front door"; "Message · home/garage". */
export function whatItDoes(button) {
  if (button.publish) return `${words.message} · ${button.publish.topic}`;
  const device = deviceOf(button), { action, value } = button.action;
  const verb = verbOf(button) || words.change;
  const much = typeof value === "number" ? ` ${words.amount(action, value)}` : "";
  // Until the devices are loaded, none counts as removed.
  const name = device ? device.name : known("devices") ? text.goneDevice : null;
  return `${verb}${much}${name ? ` · ${name}` : ""}`;
}

const DRAWINGS = { unlock: "door-open", lock: "lock", light: "bulb", switch: "plug", cover: "blind", fan: "fan", climate: "thermometer", media: "speaker" };

/** The icon of its action. */
export function drawingOf(button) {
  if (button.publish) return button.publish.risk === "open" ? "door-open" : "activity";
  const entity = entityOf(button);
  if (riskOf(button) === "open" && entity) return "door-open";
  return DRAWINGS[button.action.action] || (entity && DRAWINGS[entity.entity_type]) || "press";
}

/** The hub words conflicts itself; other errors are worded here. */
export function errorText(error) {
  if (error.status === 412) return `${text.meanwhile(error)}.`;
  return /^(conflict|validation_error|invalid_publication|not_read_back)$/.test(error.code) && error.message ? `${error.message[0].toUpperCase()}${error.message.slice(1)}` : text.error(error);
}

/** Shows the result: done, or the reason why not. */
export const outcome = (isDone, ...what) => h(isDone ? "p.tap-done" : "p.form-said", { role: isDone ? "status" : "alert" }, icon(isDone ? "check" : "alert", "i18"), h("span", what));

/** True for a message without confirmation: only its delivery to the broker is known. */
export const isUnconfirmed = ({ publish }) => Boolean(publish && !publish.state_topic);

export const isPending = (tag) => tag.state === "pending";
/** The time when the tag's content was last confirmed. */
export const configuredAt = (tag) => Date.parse(tag.written_at || tag.created_at);
export const nameOf = (tag) => tag.label || words.kinds[tag.kind].name;

// Vibration after a tap, on devices that can. Only for taps: pressing a button is visible.

/** Two medium impacts, a fifth of a second apart; and one for a failure. */
const DONE = [60, 140, 60], REFUSED = [200];

export function vibrate(isDone) {
  // A browser ignores vibration on a page that was not touched since it opened, and logs a warning.
  if (navigator.vibrate && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate(isDone ? DONE : REFUSED);
}
