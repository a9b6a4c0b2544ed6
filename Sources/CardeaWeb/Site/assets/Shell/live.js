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
const connection = { lost: false, since: 0, listeners: new Set() };

function topic(path, every, read) {
  return { path, every, read, value: undefined, at: 0, tag: null, followers: new Set(), timer: 0, asking: null };
}

/** Calls `hear(value, at)` now if something is known, and at every change. Returns how to stop. */
export function follow(name, hear, failed) {
  const t = topics[name];
  const follower = { hear, failed };
  t.followers.add(follower);
  if (t.value !== undefined) hear(t.value, t.at);
  if (!t.timer) ask(t);
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

/** Follows the connection itself: `hear(lost)`. */
export function followConnection(hear) {
  connection.listeners.add(hear);
  hear(connection.lost, connection.since);
  return () => connection.listeners.delete(hear);
}

/** Forgets everything, as at sign-out. */
export function forget() {
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
    t.at = Date.now();
    if (answer.status !== 304) {
      t.tag = answer.headers.get("ETag");
      t.value = t.read(await answer.json());
    }
    connected(true);
    // An unchanged answer is still news of its age, so followers hear it too; they touch only what changed.
    for (const follower of [...t.followers]) follower.hear(t.value, t.at);
  } catch (error) {
    if (error.offline) connected(false);
    else if (!error.status) throw error;
    for (const follower of [...t.followers]) if (follower.failed) follower.failed(error);
  }
  if (t.followers.size && !document.hidden) t.timer = setTimeout(() => ask(t), connection.lost ? Math.max(3000, t.every) : t.every);
  else t.timer = 0;
}

function connected(yes) {
  if (connection.lost === !yes) return;
  connection.lost = !yes;
  connection.since = Date.now();
  for (const hear of connection.listeners) hear(connection.lost, connection.since);
}

// A hidden page asks nothing and catches up the moment it is seen.
document.addEventListener("visibilitychange", () => {
  for (const t of Object.values(topics)) {
    clearTimeout(t.timer);
    t.timer = 0;
    if (!document.hidden && t.followers.size) ask(t);
  }
});
addEventListener("online", () => Object.values(topics).forEach((t) => t.followers.size && ask(t)));
addEventListener("offline", () => connected(false));
