// Where the rows of the timeline come from: what the hub wrote down, and what the cameras and scripts of the house saw.

import { api, instant, read, topic } from "../Shell/kit.js";
import { feed } from "./feed.js";
import { place } from "./place.js";

const query = (pairs) => new URLSearchParams(pairs.filter(([, value]) => value)).toString();

/** A day of the house, "2026-11-21", as its two ends; null where it is none. */
export function dayOf(text) {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text || "");
  if (!found) return null;
  const [year, month, day] = found.slice(1).map(Number);
  return { from: instant(year, month, day), to: instant(year, month, day + 1), text };
}

/** What was seen. The hub narrows it down, so that the oldest of fifty thousand is as near as the latest. */
export function seenFeed({ type, words, camera, day }, hears) {
  const asked = query([
    ["limit", "50"], ["smart_detection_type", type], ["q", words], ["camera_id", camera],
    // Both ends are within the span on the wire, and the next day's first moment is not of this one.
    ["start_time", day && new Date(day.from).toISOString()], ["end_time", day && new Date(day.to - 1).toISOString()],
  ]);
  const path = `/mobile/events?${asked}`;
  const form = (body) => ({ entries: body.events, next_before: body.next_cursor || "", total: body.total_count });
  const source = topic(path, 5000, form, (kind, data) => {
    if (kind === "event_removed") place.gone.add(data.event_id);
    return kind === "event" || kind === "event_update" || kind === "event_removed";
  });
  return feed({ source, gone: place.gone, endless: true, page: async (cursor) => form(await api("GET", `${path}&cursor=${encodeURIComponent(cursor)}`)), ...hears });
}

/** What was done. A day that is over is looked for by halves: entries are numbered in order of time. */
export async function doneFeed({ guest, device, day }, hears) {
  const asked = query([["guest_id", guest], ["device_id", device]]);
  const path = `/activity?limit=60${asked && `&${asked}`}`;
  const page = (before) => api("GET", `${path}&before=${encodeURIComponent(before)}`);
  if (!day || day.to > Date.now()) {
    // Whose or which device's is for the hub to say: it knows more than the latest few.
    const source = asked ? topic(path, 5000, (body) => body, (type) => type !== "device_update", () => 15000) : "activity";
    return feed({ source, page, floor: day ? day.from : undefined, ...hears });
  }
  return feed({ page, begin: hears.had ? null : await firstAfter(day.to, asked), floor: day.from, ...hears });
}

/** The number before which everything is older than `end`. */
async function firstAfter(end, asked) {
  const latest = async (before) => (await api("GET", `/activity?limit=1${asked && `&${asked}`}${before ? `&before=${before}` : ""}`)).entries[0];
  const top = await latest();
  let low = 1, high = top ? Number(top.id) + 1 : 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const entry = await latest(middle);
    if (!entry || read(entry.at) < end) low = middle;
    else high = Math.min(middle - 1, Number(entry.id));
  }
  return String(low);
}
