// What the house is like now. Screens follow topics and never ask how the news arrives: the hub tells it over the line
// (connection.js), devices themselves and of all else that it changed; where no line can be had, it is asked for every few seconds.

import { onSessionChange, renew, session } from "../Sessions/session.js";
import { HubError, api, readBody } from "./api.js";
import { clearSnapshot } from "./storage.js";
import { createConnection } from "./connection.js";

const MINUTE = 60000;
/** Who may not hear everybody's commands is told nothing of a guest who asks, and so keeps asking. */
const hearsAll = () => session.can("manage_people");
const topics = {
  devices: topic("/devices", 2000, (body) => newest(body.devices), (type) => type === "device_removed"),
  asks: topic("/asks", 3000, (body) => body.asks, (type) => type === "command_update" || type === "guest_update", () => (hearsAll() ? MINUTE : 3000)),
  guests: topic("/guests", 8000, (body) => body.guests, (type) => type === "command_update" || type === "guest_update", () => (hearsAll() ? MINUTE : 8000)),
  activity: topic("/activity?limit=60", 5000, (body) => body, (type) => type !== "device_update", () => MINUTE / 4),
  integrations: topic("/integrations", 15000, (body) => body.integrations, (type) => type === "status_update", () => 15000),
  people: topic("/people", 20000, (body) => body.people, (type) => type === "person_update"),
  scenes: topic("/scenes", 30000, (body) => body.scenes, (type) => type === "scene_update"),
  memories: topic("/memory?time_range=9999d&limit=200", 15000, (body) => body, (type) => type === "memory_update"),
};
const asked = new Set(Object.values(topics));
/** What is kept for the next start: the board, and the lists one may want to read without the house. */
const KEPT = ["devices", "guests", "activity", "scenes", "memories"];
/** `state`: null, "lost" while nothing answers, "trouble" while the hub answers that it cannot; `since` when; `lost` when nothing answered last. */
const connection = { state: null, since: 0, lost: 0, listeners: new Set() };
let keeper = null;
/** How many people and passes had been erased when nothing of them was left here; when the house said so, 0 while it knows of no copy here. */
let gone = 0, heard = 0;

/**
 * Asked every `every` ms where there is no line; else when `by(type, data)` says that an event changed it, and every
 * `calm()` ms, for what no event tells.
 */
export function topic(path, every, read, by, calm = () => MINUTE) {
  return { path, every, read, by, calm, value: undefined, at: 0, asked: 0, tag: null, trouble: false, dirty: false, followers: new Set(), timer: 0, asking: null };
}

/** Calls `hear(value, at, changed)` now if something is known, and at every change; `changed` are the devices that did, where only some did. Returns how to stop. */
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

/** Asks at once, as after an own action. An answer that is under way already may be older than the action, so it does not count. */
export const refresh = (...which) => Promise.all(which.map((one) => topics[one] || one).map((t) => (t.asking ? t.asking.then(() => ask(t)) : ask(t))));

/** Last known value, or undefined. */
export const known = (name) => topics[name].value;

/** True for what was heard before this start, or too long ago to be called now. */
export const isOutdated = (name) => topics[name].at < Date.now() - 15000;

/** When the devices were last heard, while nothing newer can be had; else 0. */
export const staleSince = () => (connection.state || isOutdated("devices") ? topics.devices.at : 0);

/** Follows the connection itself: `hear(state, since)`. */
export function followConnection(hear) {
  connection.listeners.add(hear);
  hear(connection.state, connection.since);
  return () => connection.listeners.delete(hear);
}

/** Takes what the last start knew; whatever is heard later goes before it. */
export function restoreTopics(kept) {
  gone = kept.gone || 0;
  for (const name of KEPT) if (kept[name] && topics[name].value === undefined) Object.assign(topics[name], kept[name]);
}

/** `keep(topics)` is called some seconds after news, and when the page is left. */
export function saveTopicsWith(keep) {
  keeper = keep;
  heard = 0;
}

let keeping = 0;
async function keepNow() {
  clearTimeout(keeping);
  keeping = 0;
  try {
    // The house knows of a copy before there is one. Who is erased where there is no line is asked for.
    if (keeper && !(heard && wire.live) && heard < Date.now() - MINUTE) await letGo();
  } catch (error) {
    return ignoreHubError(error);
  }
  const worth = KEPT.filter((name) => topics[name].value !== undefined).map((name) => [name, { value: topics[name].value, at: topics[name].at }]);
  if (keeper && heard && worth.length) keeper({ ...Object.fromEntries(worth), gone });
}

/** What was known of it is not shown and not kept any more; it is asked for anew where a page looks. */
export const discardTopics = (...which) => which.map((one) => topics[one] || one).forEach((t) => {
  Object.assign(t, { value: undefined, tag: null, dirty: true });
  again(t);
});

/** Forgets everything, as at sign-out. */
export function resetTopics() {
  keeper = null;
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
    // An unchanged answer is still news of its age, so followers hear it too; they touch only what changed.
    tell(t);
  } catch (error) {
    if (!error.offline && !error.status) throw error;
    settle(t, error);
    // Said once, not at every try: what stands on the page may have the focus.
    for (const follower of [...t.followers]) {
      if (!follower.failed || follower.why === error.code) continue;
      follower.why = error.code;
      follower.failed(error);
    }
    // What changed is still to be heard, whatever the line says meanwhile.
    t.dirty ||= dirty && (error.offline || error.status >= 500);
    return again(t, t.dirty ? 3000 : undefined);
  }
  again(t);
}

function tell(t, some) {
  t.at = Date.now();
  if (!keeping) keeping = setTimeout(keepNow, 3000);
  for (const follower of [...t.followers]) {
    follower.why = null;
    follower.hear(t.value, t.at, some);
  }
}

/** Whether somebody is to hear of it: a page, or what is kept of it here, which goes with the house also where no page looks. */
const isWanted = (t) => t.followers.size || (t === topics.memories && t.dirty && t.value !== undefined);
const soon = (t) => (t.followers.size ? SOON : MINUTE);

/** When it is asked for next: soon if it changed meanwhile, seldom while the line is there. */
function again(t, wait = t.dirty ? soon(t) : wire.live && !t.trouble ? t.calm() : Math.max(connection.state === "lost" ? 3000 : 0, t.every)) {
  clearTimeout(t.timer);
  t.timer = isWanted(t) && !document.hidden ? setTimeout(() => ask(t), wait) : 0;
}

/** Trouble is when something shown can no longer be renewed; it ends when all of it is heard again. What was asked for before the house was lost says nothing of whether it is back. */
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

// The line

const SOON = 300;
/** Devices that were heard of since the last frame; null where one is gone. */
const changed = new Map();
let frame = 0;
let houseHears = () => {};

const wire = createConnection({
  up(anew) {
    // What happened before the line was there, or is not told any more, is asked for once.
    for (const t of asked) {
      if (anew && t.by && t !== topics.devices) t.dirty = true;
      again(t);
    }
    if (anew || !heard) letGo().catch(ignoreHubError);
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
    if (type === "person_erased") letGo().catch(ignoreHubError);
    for (const t of asked) if (t.by && t.by(type, data)) t.dirty = true;
    if (type === "house_update" || type === "room_update" || (type === "person_update" && session.me && data.person_id === session.me.person_id)) houseHears();
    if (!frame && !document.hidden) frame = requestAnimationFrame(paint);
    for (const ear of ears) ear(type, data);
  },
  down(error, was) {
    if (error && error.offline) connected("lost");
    // Where it was not there before, everything is asked for in its time already; one more try that failed puts nothing off.
    if (was) for (const t of asked) again(t, Math.random() * t.every);
  },
  ended() {
    // Over, or only its rights are others: the hub says which when the session is renewed.
    renew().then((still) => still && houseHears(), () => {});
  },
});
onSessionChange(() => wire.close());

/** Says that a copy is kept here, and hears who was erased. What is kept may speak of them: it goes, is kept anew from what the house says from now on, and the house hears that it went. */
async function letGo() {
  const mine = keeper, { erased } = await api("POST", "/erasures", { body: { confirmed: [] } }), count = erased.length;
  if (count !== gone) {
    const speaking = [topics.guests, topics.activity, topics.memories];
    // An answer that is under way may be older.
    await Promise.all(speaking.map((t) => t.asking));
    discardTopics(...speaking);
    await clearSnapshot();
    while (erased.length) await api("POST", "/erasures", { body: { confirmed: erased.splice(0, 100) } });
  }
  // Another session is another copy.
  if (mine === keeper) [gone, heard] = [count, Date.now()];
}

/** The house could not be told or asked, and is another time: it waits for what it is to be told, and hears it before anything is kept here again. */
export function ignoreHubError(error) {
  if (!(error instanceof HubError)) throw error;
}

const ears = new Set();
/** `ear(type, data)` hears every event over the line. */
export const onEvent = (ear) => ears.add(ear);

/** Hears the house from now on; `changed` is called when the house itself or this person's rights did. */
export function connect(whenChanged) {
  houseHears = whenChanged;
  wire.open();
}

/** Everything that was heard since the last frame, at once. */
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

/** An answer may have been written before what the line told meanwhile: of each device the later one counts. */
function newest(answered) {
  const known = new Map((topics.devices.value || []).map((one) => [one.device_id, one]));
  return answered.map((one) => (known.has(one.device_id) && known.get(one.device_id).revision > one.revision ? known.get(one.device_id) : one));
}

// While the line is there what is shown is what is, and only its ages move on.
setInterval(() => !document.hidden && wire.live && topics.devices.value !== undefined && tell(topics.devices), 10000);

// A hidden page asks and paints nothing, and catches up the moment it is seen.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) keepNow();
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
