// Ages and moments of the household app; the guest's page does not need them.

import { HOUR, MINUTE, clock, dayDistance, format, longDay, now, dateParts, sameYear } from "./time.js";

const shortWeekday = (at) => format("wds", { weekday: "short" }).format(at);
const dayMonth = (at) => format("dm", { day: "numeric", month: "short" }).format(at);

/** The instant at which the house's clock shows this time. A time that a clock change skips lands after the gap. */
export function instantOf(year, month, day, hour = 0, minute = 0) {
  const wanted = Date.UTC(year, month - 1, day, hour, minute);
  let at = wanted;
  for (let round = 0; round < 3; round += 1) {
    const p = dateParts(at);
    at += wanted - Date.UTC(p.year, p.month - 1, p.day, p.hour, p.minute);
  }
  return at;
}

/** 09:04 in a column of times, or 9:04 am by locale. */
export const columnClock = (at) => clock(at).padStart(5, "0");

/** A short moment: "18:00", "yesterday 13:52", "Tue 13:52", "14 Nov, 13:52", "14 Nov 2025". */
export function shortMoment(at) {
  const d = dayDistance(at);
  if (d === 0) return clock(at);
  if (d === -1) return `yesterday ${clock(at)}`;
  if (d === 1) return `tomorrow ${clock(at)}`;
  if (Math.abs(d) < 7) return `${shortWeekday(at)} ${clock(at)}`;
  return sameYear(at) ? `${dayMonth(at)}, ${clock(at)}` : `${dayMonth(at)} ${dateParts(at).year}`;
}

/** A moment after a word: "at 23:34", "on 12 Nov at 23:34". */
export const onDay = (at) => `${dayDistance(at) ? `on ${dayMonth(at)}${sameYear(at) ? "" : ` ${dateParts(at).year}`} ` : ""}at ${clock(at)}`;

/** "now", "40 s", "12 min", then the clock. */
export function age(at) {
  const ms = now() - at;
  if (ms < 10000) return "now";
  if (ms < MINUTE) return `${Math.floor(ms / 10000) * 10}\u00a0s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}\u00a0min`;
  return shortMoment(at);
}

/** "since 13:52", "for 12 min" beside a state. */
export function since(at) {
  const ms = now() - at;
  if (ms < MINUTE) return "just now";
  if (ms < HOUR) return `for ${Math.floor(ms / MINUTE)}\u00a0min`;
  return `since ${shortMoment(at)}`;
}

/** True if the browser's clock shows a different time than the house's. */
export function zoneDiffers() {
  const here = new Date();
  const p = dateParts(here);
  return p.hour !== here.getHours() || p.minute !== here.getMinutes();
}

/** A <time> element; with `tick` the one timer below updates its words. */
export function timeElement(at, words = shortMoment, tick = true) {
  const node = document.createElement("time");
  node.setAttribute("datetime", new Date(at).toISOString());
  node.title = `${longDay(at)}, ${clock(at, { seconds: true })}${zoneDiffers() ? " house time" : ""}`;
  node.textContent = words(at);
  if (tick) {
    node.words = words;
    node.dataset.tick = "";
  }
  return node;
}

// One timer for all ages on the page; it rests while the page is hidden.
setInterval(() => {
  if (document.hidden) return;
  for (const node of document.querySelectorAll("time[data-tick]")) {
    if (!node.words) continue;
    const text = node.words(Date.parse(node.getAttribute("datetime")));
    if (node.textContent !== text) node.textContent = text;
  }
}, 10000);
