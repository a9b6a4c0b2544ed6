// What the house is like now. Screens follow topics and never ask how the news arrives:
// today it is asked for every few seconds; when the hub pushes, only this file changes.

import { api } from "./api.js";

const topics = {
  devices: topic("/devices", 2000, (body) => body.devices),
  asks: topic("/asks", 3000, (body) => body.asks),
  guests: topic("/guests", 8000, (body) => body.guests),
  activity: topic("/activity?limit=60", 5000, (body) => body),
  integrations: topic("/integrations", 15000, (body) => body.integrations),
  people: topic("/people", 20000, (body) => body.people),
};
/** What is kept for the next start: the board, and the lists one may want to read without the house. */
const KEPT = ["devices", "guests", "activity"];
/** `state`: null, "lost" while nothing answers, "trouble" while the hub answers that it cannot; `since` when. */
const connection = { state: null, since: 0, listeners: new Set() };
let keeper = null;

function topic(path, every, read) {
  return { path, every, read, value: undefined, at: 0, tag: null, trouble: false, followers: new Set(), timer: 0, asking: null };
}

/** Calls `hear(value, at)` now if something is known, and at every change. Returns how to stop. */
export function follow(name, hear, failed) {
  const t = topics[name];
  const follower = { hear, failed };
  t.followers.add(follower);
  if (t.value !== undefined) hear(t.value, t.at);
  if (!t.timer && Date.now() - t.at < 1000) t.timer = setTimeout(() => ask(t), t.every);
  else if (!t.timer) ask(t);
  return () => {
    t.followers.delete(follower);
    if (!t.followers.size) {
      clearTimeout(t.timer);
      t.timer = 0;
    }
  };
}

/** Asks at once, as after an own action. */
export const refresh = (...names) => Promise.all(names.map((name) => ask(topics[name])));

/** Last known value, or undefined. */
export const known = (name) => topics[name].value;

/** True for what was heard before this start, or too long ago to be called now. */
export const isOld = (name) => topics[name].at < Date.now() - 15000;

/** Follows the connection itself: `hear(state, since)`. */
export function followConnection(hear) {
  connection.listeners.add(hear);
  hear(connection.state, connection.since);
  return () => connection.listeners.delete(hear);
}

/** Takes what the last start knew; whatever is heard later goes before it. */
export function recall(kept) {
  for (const name of KEPT) if (kept[name] && topics[name].value === undefined) Object.assign(topics[name], kept[name]);
}

/** `keep(topics)` is called some seconds after news, and when the page is left. */
export function keepWith(keep) {
  keeper = keep;
}

let keeping = 0;
function keepNow() {
  clearTimeout(keeping);
  keeping = 0;
  const worth = KEPT.filter((name) => topics[name].value !== undefined).map((name) => [name, { value: topics[name].value, at: topics[name].at }]);
  if (keeper && worth.length) keeper(Object.fromEntries(worth));
}

/** Forgets everything, as at sign-out. */
export function forget() {
  keeper = null;
  for (const t of Object.values(topics)) {
    clearTimeout(t.timer);
    Object.assign(t, { value: undefined, at: 0, tag: null, timer: 0 });
    t.followers.clear();
  }
}

function ask(t) {
  if (!t.asking) t.asking = once(t).finally(() => (t.asking = null));
  return t.asking;
}

async function once(t) {
  clearTimeout(t.timer);
  try {
    const answer = await api("GET", t.path, { raw: true, headers: t.tag ? { "If-None-Match": t.tag } : {} });
    const body = answer.status === 304 ? null : await answer.json();
    t.at = Date.now();
    if (body) {
      t.tag = answer.headers.get("ETag");
      t.value = t.read(body);
      if (!keeping) keeping = setTimeout(keepNow, 3000);
    }
    settle(t, null);
    // An unchanged answer is still news of its age, so followers hear it too; they touch only what changed.
    for (const follower of [...t.followers]) follower.hear(t.value, t.at);
  } catch (error) {
    if (!error.offline && !error.status) throw error;
    settle(t, error);
    for (const follower of [...t.followers]) if (follower.failed) follower.failed(error);
  }
  if (t.followers.size && !document.hidden) t.timer = setTimeout(() => ask(t), connection.state === "lost" ? Math.max(3000, t.every) : t.every);
  else t.timer = 0;
}

/** Trouble is when something shown can no longer be renewed; it ends when all of it is heard again. */
function settle(t, error) {
  t.trouble = Boolean(error) && error.status >= 500 && t.value !== undefined;
  const trouble = Object.values(topics).some((one) => one.trouble && one.followers.size);
  connected(error && error.offline ? "lost" : trouble ? "trouble" : null);
}

function connected(state) {
  if (connection.state === state) return;
  if (!connection.state) connection.since = Date.now();
  connection.state = state;
  for (const hear of connection.listeners) hear(connection.state, connection.since);
}

// A hidden page asks nothing and catches up the moment it is seen.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) keepNow();
  for (const t of Object.values(topics)) {
    clearTimeout(t.timer);
    t.timer = 0;
    if (!document.hidden && t.followers.size) ask(t);
  }
});
addEventListener("online", () => Object.values(topics).forEach((t) => t.followers.size && ask(t)));
addEventListener("offline", () => connected("lost"));
