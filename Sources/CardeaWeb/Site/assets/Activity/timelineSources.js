// The sources of the timeline: the activity that the hub recorded, and the events of cameras and scripts.

import { api, instantOf, read, topic } from "../Shell/ui.js";
import { feed } from "./feed.js";
import { listPosition } from "./listPosition.js";

const query = (pairs) => new URLSearchParams(pairs.filter(([, value]) => value)).toString();

/** A day of the house, "2026-11-21", as its two ends; null for anything else. */
export function dayOf(text) {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text || "");
  if (!found) return null;
  const [year, month, day] = found.slice(1).map(Number);
  return { from: instantOf(year, month, day), to: instantOf(year, month, day + 1), text };
}

/** Events of cameras and scripts. The hub filters them, so the oldest of 50 000 is found as fast as the latest. */
export function eventFeed({ type, words, camera, day }, hears) {
  const asked = query([
    ["limit", "50"], ["smart_detection_type", type], ["q", words], ["camera_id", camera],
    // The hub includes both ends of the span, so the first moment of the next day is left out.
    ["start_time", day && new Date(day.from).toISOString()], ["end_time", day && new Date(day.to - 1).toISOString()],
  ]);
  const path = `/mobile/events?${asked}`;
  const form = (body) => ({ entries: body.events, next_before: body.next_cursor || "", total: body.total_count });
  const source = topic(path, 5000, form, (kind, data) => {
    if (kind === "event_removed") listPosition.gone.add(data.event_id);
    return kind === "event" || kind === "event_update" || kind === "event_removed";
  });
  return feed({ source, gone: listPosition.gone, endless: true, page: async (cursor) => form(await api("GET", `${path}&cursor=${encodeURIComponent(cursor)}`)), ...hears });
}

/** Recorded activity. For a past day the first entry is found by bisection, as entries are numbered in order of time. */
export async function activityFeed({ guest, device, day }, hears) {
  const asked = query([["guest_id", guest], ["device_id", device]]);
  const path = `/activity?limit=60${asked && `&${asked}`}`;
  const page = (before) => api("GET", `${path}&before=${encodeURIComponent(before)}`);
  if (!day || day.to > Date.now()) {
    // The hub filters by guest and device: it has more than the latest entries.
    const source = asked ? topic(path, 5000, (body) => body, (type) => type !== "device_update", () => 15000) : "activity";
    return feed({ source, page, floor: day ? day.from : undefined, ...hears });
  }
  return feed({ page, begin: hears.had ? null : await firstAfter(day.to, asked), floor: day.from, ...hears });
}

/** The number before which all entries are older than `end`. */
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
