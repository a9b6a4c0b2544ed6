// The live state of the house. Screens follow topics: the hub sends updates over the connection
// (connection.js), of devices with their data and of other topics as a signal to load them; without a connection topics are polled.

import { onSessionChange, renew, session } from "../Sessions/session.js";
import { HubError, api, readBody } from "./api.js";
import { clearSnapshot } from "./storage.js";
import { createConnection } from "./connection.js";

const MINUTE = 60000;
/** A person who may not see all commands gets no events about requests of guests, and so keeps polling. */
const seesAllCommands = () => session.can("manage_people");
const topics = {
  devices: topic("/devices", 2000, (body) => newest(body.devices), (type) => type === "device_removed"),
  asks: topic("/asks", 3000, (body) => body.asks, (type) => type === "command_update" || type === "guest_update", () => (seesAllCommands() ? MINUTE : 3000)),
  guests: topic("/guests", 8000, (body) => body.guests, (type) => type === "command_update" || type === "guest_update", () => (seesAllCommands() ? MINUTE : 8000)),
  activity: topic("/activity?limit=60", 5000, (body) => body, (type) => type !== "device_update", () => MINUTE / 4),
  integrations: topic("/integrations", 15000, (body) => body.integrations, (type) => type === "status_update", () => 15000),
  people: topic("/people", 20000, (body) => body.people, (type) => type === "person_update"),
  scenes: topic("/scenes", 30000, (body) => body.scenes, (type) => type === "scene_update"),
  memories: topic("/memory?time_range=9999d&limit=200", 15000, (body) => body, (type) => type === "memory_update"),
};
const asked = new Set(Object.values(topics));
/** The topics stored for the next start: the board, and lists that are useful offline. */
const KEPT = ["devices", "guests", "activity", "scenes", "memories"];
/** `state`: null, "lost" without an answer, "trouble" if the hub answers with an error; `since` when; `lost` if the last call had no answer. */
const connection = { state: null, since: 0, lost: 0, listeners: new Set() };
let saveTopics = null;
/** The number of erasures applied here; 0 while the house knows of no copy here. */
let gone = 0, heard = 0;

/**
 * Polled every `every` ms without a connection; otherwise loaded when `by(type, data)` matches an event, and every
 * `calm()` ms, for changes without an event.
 */
export function topic(path, every, read, by, calm = () => MINUTE) {
  return { path, every, read, by, calm, value: undefined, at: 0, asked: 0, tag: null, trouble: false, dirty: false, followers: new Set(), timer: 0, asking: null };
}

/** Calls `hear(value, at, changed)` now if a value is known, and at every change; `changed` lists the devices if only some changed. Returns a function that stops it. */
export function follow(which, hear, failed) {
  const t = topics[which] || which;
  const follower = { hear, failed };
  asked.add(t);
  t.followers.add(follower);
  if (t.value !== undefined) hear(t.value, t.at);
  if (!t.timer && !t.dirty && t.value !== undefined && Date.now() - t.asked < 1000) again(t);
  else if (!t.timer || t.value === undefined) ask(t);
  return () => {
    t.followers.delete(follower);
    if (!t.followers.size) {
      clearTimeout(t.timer);
      t.timer = 0;
      if (t !== topics[which]) asked.delete(t);
    }
  };
}

/** Loads at once, as after an own action. An answer already in progress may be older than the action, so it does not count. */
export const refresh = (...which) => Promise.all(which.map((one) => topics[one] || one).map((t) => (t.asking ? t.asking.then(() => ask(t)) : ask(t))));

/** The last known value, or undefined. */
export const known = (name) => topics[name].value;

/** True for a value from before this start, or one that is too old to be current. */
export const isOutdated = (name) => topics[name].at < Date.now() - 15000;

/** The time of the last devices if nothing newer can be loaded; otherwise 0. */
export const staleSince = () => (connection.state || isOutdated("devices") ? topics.devices.at : 0);

/** Follows the connection state: `hear(state, since)`. */
export function followConnection(hear) {
  connection.listeners.add(hear);
  hear(connection.state, connection.since);
  return () => connection.listeners.delete(hear);
}

/** Restores the stored values; any later one replaces them. */
export function restoreTopics(kept) {
  gone = kept.gone || 0;
  for (const name of KEPT) if (kept[name] && topics[name].value === undefined) Object.assign(topics[name], kept[name]);
}

/** `keep(topics)` is called some seconds after updates, and when the page is left. */
export function saveTopicsWith(keep) {
  saveTopics = keep;
  heard = 0;
}

let keeping = 0;
async function saveNow() {
  clearTimeout(keeping);
  keeping = 0;
  try {
    // The hub has to know of a copy before it exists. Without a connection erasures are polled.
    if (saveTopics && !(heard && wire.live) && heard < Date.now() - MINUTE) await syncErasures();
  } catch (error) {
    return ignoreHubError(error);
  }
  const worth = KEPT.filter((name) => topics[name].value !== undefined).map((name) => [name, { value: topics[name].value, at: topics[name].at }]);
  if (saveTopics && heard && worth.length) saveTopics({ ...Object.fromEntries(worth), gone });
}

/** Drops the values, shown and stored; they load again where a page needs them. */
export const discardTopics = (...which) => which.map((one) => topics[one] || one).forEach((t) => {
  Object.assign(t, { value: undefined, tag: null, dirty: true });
  again(t);
});

/** Forgets everything, as at sign-out. */
export function resetTopics() {
  saveTopics = null;
  gone = 0;
  wire.close(true);
  changed.clear();
  for (const t of asked) {
    clearTimeout(t.timer);
    Object.assign(t, { value: undefined, at: 0, asked: 0, tag: null, timer: 0 });
    t.followers.clear();
  }
}

function ask(t) {
  if (!t.asking) t.asking = once(t).finally(() => (t.asking = null));
  return t.asking;
}

async function once(t) {
  const { dirty } = t;
  clearTimeout(t.timer);
  t.dirty = false;
  t.asked = Date.now();
  try {
    const answer = await api("GET", t.path, { raw: true, headers: t.tag ? { "If-None-Match": t.tag } : {} });
    const body = answer.status === 304 ? null : await readBody(answer.json());
    if (body) {
      t.tag = answer.headers.get("ETag");
      t.value = t.read(body);
    }
    settle(t, null);
    // An unchanged answer has a new age, so followers are called too; they touch only changes.
    tell(t);
  } catch (error) {
    if (!error.offline && !error.status) throw error;
    settle(t, error);
    // Reported once, not at every try: the content of the page may have the focus.
    for (const follower of [...t.followers]) {
      if (!follower.failed || follower.why === error.code) continue;
      follower.why = error.code;
      follower.failed(error);
    }
    // A change still has to be loaded, whatever the connection says meanwhile.
    t.dirty ||= dirty && (error.offline || error.status >= 500);
    return again(t, t.dirty ? 3000 : undefined);
  }
  again(t);
}

function tell(t, some) {
  t.at = Date.now();
  if (!keeping) keeping = setTimeout(saveNow, 3000);
  for (const follower of [...t.followers]) {
    follower.why = null;
    follower.hear(t.value, t.at, some);
  }
}

/** True if the topic is in use: by a page, or by the stored board, which follows the house even without a page. */
const isWanted = (t) => t.followers.size || (t === topics.memories && t.dirty && t.value !== undefined);
const soon = (t) => (t.followers.size ? RELOAD_DELAY : MINUTE);

/** The time of the next load: soon if it changed meanwhile, seldom while connected. */
function again(t, wait = t.dirty ? soon(t) : wire.live && !t.trouble ? t.calm() : Math.max(connection.state === "lost" ? 3000 : 0, t.every)) {
  clearTimeout(t.timer);
  t.timer = isWanted(t) && !document.hidden ? setTimeout(() => ask(t), wait) : 0;
}

/** Trouble begins when a shown topic cannot be loaded; it ends when all of them are loaded again. Calls from before the loss do not count. */
function settle(t, error) {
  t.trouble = Boolean(error) && error.status >= 500 && t.value !== undefined;
  const trouble = [...asked].some((one) => one.trouble && one.followers.size);
  const lost = error && error.offline || (connection.state === "lost" && t.asked <= connection.lost);
  connected(lost ? "lost" : trouble ? "trouble" : null);
}

function connected(state) {
  if (connection.state === state) return;
  if (!connection.state) connection.since = Date.now();
  if (state === "lost") connection.lost = Date.now();
  connection.state = state;
  for (const hear of connection.listeners) hear(connection.state, connection.since);
}

// The connection

const RELOAD_DELAY = 300;
/** Devices that changed since the last frame; null for a removed one. */
const changed = new Map();
let frame = 0;
let houseChanged = () => {};

const wire = createConnection({
  up(anew) {
    // Earlier changes, and those without an event any more, are loaded once.
    for (const t of asked) {
      if (anew && t.by && t !== topics.devices) t.dirty = true;
      again(t);
    }
    if (anew || !heard) syncErasures().catch(ignoreHubError);
    if (connection.state === "lost") asked.forEach((t) => t.followers.size && ask(t));
  },
  snapshot(devices) {
    changed.clear();
    topics.devices.value = devices;
    tell(topics.devices);
  },
  event({ type, data }) {
    if (type === "device_update") changed.set(data.device_id, data);
    if (type === "device_removed") changed.set(data.device_id, null);
    if (type === "person_erased") syncErasures().catch(ignoreHubError);
    for (const t of asked) if (t.by && t.by(type, data)) t.dirty = true;
    if (type === "house_update" || type === "room_update" || (type === "person_update" && session.me && data.person_id === session.me.person_id)) houseChanged();
    if (!frame && !document.hidden) frame = requestAnimationFrame(paint);
    for (const handler of handlers) handler(type, data);
  },
  down(error, was) {
    if (error && error.offline) connected("lost");
    // If it was not connected before, polling is on already; one more failed try delays nothing.
    if (was) for (const t of asked) again(t, Math.random() * t.every);
  },
  ended() {
    // Ended, or its rights changed: the renewal of the session tells which.
    renew().then((still) => still && houseChanged(), () => {});
  },
});
onSessionChange(() => wire.close());

/** Registers the stored copy with the hub, and gets erasures. The copy may name erased people: it is deleted, stored again from new data, and the hub gets a confirmation. */
async function syncErasures() {
  const mine = saveTopics, { erased } = await api("POST", "/erasures", { body: { confirmed: [] } }), count = erased.length;
  if (count !== gone) {
    const speaking = [topics.guests, topics.activity, topics.memories];
    // An answer in progress may be older.
    await Promise.all(speaking.map((t) => t.asking));
    discardTopics(...speaking);
    await clearSnapshot();
    while (erased.length) await api("POST", "/erasures", { body: { confirmed: erased.splice(0, 100) } });
  }
  // Another session is another copy.
  if (mine === saveTopics) [gone, heard] = [count, Date.now()];
}

/** The hub could not be reached, so it is tried again later; nothing is stored here before that. */
export function ignoreHubError(error) {
  if (!(error instanceof HubError)) throw error;
}

const handlers = new Set();
/** `ear(type, data)` gets every event of the connection. */
export const onEvent = (handler) => handlers.add(handler);

/** Starts; `changed` is called when the house itself or this person's rights changed. */
export function connect(whenChanged) {
  houseChanged = whenChanged;
  wire.open();
}

/** Applies all changes since the last frame at once. */
function paint() {
  frame = 0;
  const devices = topics.devices;
  if (changed.size && devices.value) {
    const some = new Set(changed.keys());
    const kept = devices.value.map((one) => (changed.has(one.device_id) ? changed.get(one.device_id) : one)).filter(Boolean);
    const there = new Set(devices.value.map((one) => one.device_id));
    devices.value = [...kept, ...[...changed.values()].filter((one) => one && !there.has(one.device_id))];
    changed.clear();
    tell(devices, some);
  }
  // No longer than `soon`, also where the clock was set back since.
  for (const t of asked) if (t.dirty && isWanted(t) && !t.asking) again(t, Math.min(soon(t), Math.max(0, t.asked + soon(t) - Date.now())));
}

/** An answer may be older than events received meanwhile: for each device the later one counts. */
function newest(answered) {
  const known = new Map((topics.devices.value || []).map((one) => [one.device_id, one]));
  return answered.map((one) => (known.has(one.device_id) && known.get(one.device_id).revision > one.revision ? known.get(one.device_id) : one));
}

// While connected the shown state is current, and only ages move on.
setInterval(() => !document.hidden && wire.live && topics.devices.value !== undefined && tell(topics.devices), 10000);

// A hidden page loads and paints nothing, and catches up when it is shown.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) saveNow();
  const fresh = !document.hidden && wire.fresh();
  for (const t of asked) {
    if (document.hidden || fresh) again(t);
    else if (t.followers.size) ask(t);
  }
  if (!document.hidden) paint();
});
addEventListener("online", () => {
  if (session.me) wire.open();
  asked.forEach((t) => t.followers.size && ask(t));
});
addEventListener("offline", () => {
  connected("lost");
  wire.drop();
});
