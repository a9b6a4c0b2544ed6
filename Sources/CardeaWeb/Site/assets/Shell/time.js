// Every time a person reads is made here and in ages.js: the house's zone, the person's habit of 24 or 12 hours.

const english = (navigator.languages || [navigator.language]).find((tag) => /^en\b/i.test(tag)) || "en-GB";
export const twelve = /^h1[12]$/.test(
  new Intl.DateTimeFormat(navigator.language, { hour: "numeric" }).resolvedOptions().hourCycle || "h23");
const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
export const MINUTE = 60000, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

let zone = browserZone;
let skew = 0;
const formats = new Map();

/** The house's zone; until it is known, the browser's. */
export function setZone(name) {
  if (!name || name === zone) return;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    zone = name;
    formats.clear();
  } catch {
    // A zone this browser does not know: its own clock is the better guess.
  }
}

/** The hub's clock is the house's clock: a phone an hour off still counts down rightly. */
export function setNow(serverMilliseconds) {
  skew = serverMilliseconds - Date.now();
}

export const now = () => Date.now() + skew;
export const houseZone = () => zone;

export function format(key, options) {
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(english, { timeZone: zone, ...options }));
  return formats.get(key);
}

/** What the house's wall clock and calendar show at an instant. */
export function parts(at) {
  const p = {};
  const f = formats.get("parts") || new Intl.DateTimeFormat("en-GB", { timeZone: zone, hourCycle: "h23", year: "numeric",
    month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" });
  formats.set("parts", f);
  for (const { type, value } of f.formatToParts(at)) p[type] = Number(value);
  return { year: p.year, month: p.month, day: p.day, hour: p.hour % 24, minute: p.minute, second: p.second };
}

/** Days from today to that day, by the house's calendar. */
export function dayDistance(at, from = now()) {
  const a = parts(at), b = parts(from);
  return Math.round((Date.UTC(a.year, a.month - 1, a.day) - Date.UTC(b.year, b.month - 1, b.day)) / DAY);
}

export const two = (n) => String(n).padStart(2, "0");

/** 9:04 in a sentence, 09:04 in a column, 9:04 am where people say so. */
export function clock(at, { column = false, seconds = false } = {}) {
  if (twelve) return format(seconds ? "12s" : "12", { hour: "numeric", minute: "2-digit", hour12: true, ...(seconds && { second: "2-digit" }) }).format(at).replace(/\s/g, "\u00a0");
  const p = parts(at);
  return `${column ? two(p.hour) : p.hour}:${two(p.minute)}${seconds ? `:${two(p.second)}` : ""}`;
}

const weekday = (at) => format("wd", { weekday: "long" }).format(at);
export const sameYear = (at) => parts(at).year === parts(now()).year;

/** "Saturday 21 November", with the year when it is another. */
export function longDay(at) {
  const day = format("dml", { day: "numeric", month: "long" }).format(at);
  return `${weekday(at)} ${day}${sameYear(at) ? "" : ` ${parts(at).year}`}`;
}

/** Heads of days: "Today", "Yesterday", "Thursday". */
export function dayWord(at) {
  const d = dayDistance(at);
  if (d === 0) return "Today";
  if (d === -1) return "Yesterday";
  if (d === 1) return "Tomorrow";
  return weekday(at);
}

/** A day inside a sentence: "today", "tomorrow", "Tuesday 24 November". */
export function dayInSentence(at) {
  const word = dayWord(at);
  return Math.abs(dayDistance(at)) <= 1 ? word.toLowerCase() : longDay(at);
}

/** A moment inside a sentence: "today at 18:00", "Tuesday 24 November, 9:00". */
export function moment(at) {
  return Math.abs(dayDistance(at)) <= 1 ? `${dayInSentence(at)} at ${clock(at)}` : `${longDay(at)}, ${clock(at)}`;
}

/** 58 s · 3 min · 3 h 29 min · 2 days. */
export function remaining(ms) {
  if (ms <= 0) return "0\u00a0s";
  if (ms < MINUTE) return `${Math.ceil(ms / 1000)}\u00a0s`;
  const minutes = Math.floor(ms / MINUTE);
  if (minutes < 60) return `${minutes}\u00a0min`;
  if (ms < 2 * DAY) return `${Math.floor(minutes / 60)}\u00a0h${minutes % 60 ? ` ${minutes % 60}\u00a0min` : ""}`;
  return `${Math.floor(ms / DAY)} days`;
}

/** 1:42, for what someone waits on. */
export function countdown(ms) {
  const s = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(s / 60)}:${two(s % 60)}`;
}

/** Times of the wire: RFC 3339 text, or Unix seconds in the guest family. */
export function read(value) {
  if (value === null || value === undefined) return null;
  return typeof value === "number" ? value * 1000 : Date.parse(value);
}
