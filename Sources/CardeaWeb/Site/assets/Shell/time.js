// All times are formatted here and in relativeTime.js, in the house's zone, with 24 or 12 hours by locale.

// A browser that started in the POSIX locale reports en-US@posix, which Intl rejects.
export const locale = (navigator.language || "en-GB").split("@")[0];
const english = (navigator.languages || [locale]).find((tag) => /^en(-[a-z]+)?$/i.test(tag)) || "en-GB";
const twelve = /^h1[12]$/.test(new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions().hourCycle || "h23");
export const MINUTE = 60000, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

let zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
let skew = 0;
const formats = new Map();

/** The house's zone; the browser's own until it is known, or if this browser does not know it. */
export function setZone(name) {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    zone = name;
    formats.clear();
  } catch {}
}

/** Time follows the hub's clock: a phone that is an hour off still counts down correctly. */
export function setNow(at) {
  skew = at - Date.now();
}

export const now = () => Date.now() + skew;

export function format(key, options, language = english) {
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(language, { timeZone: zone, ...options }));
  return formats.get(key);
}

/** The date and time of the house's clock at an instant. */
export function dateParts(at) {
  const p = {};
  const wall = format("parts", { hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" }, "en-GB");
  for (const { type, value } of wall.formatToParts(at)) p[type] = Number(value);
  p.hour %= 24;
  return p;
}

/** Days from today to that day, by the house's calendar. */
export function dayDistance(at) {
  const a = dateParts(at), b = dateParts(now());
  return Math.round((Date.UTC(a.year, a.month - 1, a.day) - Date.UTC(b.year, b.month - 1, b.day)) / DAY);
}

const two = (n) => String(n).padStart(2, "0");

/** A clock time such as "09:00" by locale: 9:00, or 9:00 am. */
export function wallTime(text) {
  const [hour, ...rest] = text.split(":");
  return twelve ? `${hour % 12 || 12}:${rest.join(":")}\u00a0${hour % 24 < 12 ? "am" : "pm"}` : `${Number(hour)}:${rest.join(":")}`;
}

/** 9:04, or 9:04:07 for recent events. */
export function clock(at, { seconds } = {}) {
  const p = dateParts(at);
  return wallTime(`${p.hour}:${two(p.minute)}${seconds ? `:${two(p.second)}` : ""}`);
}

const weekday = (at) => format("wd", { weekday: "long" }).format(at);
export const sameYear = (at) => dateParts(at).year === dateParts(now()).year;

/** "Saturday 21 November", with the year if it is another. */
export function longDay(at) {
  const day = format("dml", { day: "numeric", month: "long" }).format(at);
  return `${weekday(at)} ${day}${sameYear(at) ? "" : ` ${dateParts(at).year}`}`;
}

/** Heads of days: "Today", "Yesterday", "Thursday". */
export const dayWord = (at) => ({ "-1": "Yesterday", 0: "Today", 1: "Tomorrow" })[dayDistance(at)] || weekday(at);

const near = (at) => Math.abs(dayDistance(at)) <= 1;

/** A day inside a sentence: "today", "tomorrow", "Tuesday 24 November". */
export const dayInSentence = (at) => (near(at) ? dayWord(at).toLowerCase() : longDay(at));

/** A moment inside a sentence: "today at 18:00", "Tuesday 24 November, 9:00". */
export const moment = (at) => `${dayInSentence(at)}${near(at) ? " at" : ","} ${clock(at)}`;

/** 58 s · 3 min · 3 h 29 min · 2 days. */
export function remaining(ms) {
  if (ms < MINUTE) return `${Math.max(0, Math.ceil(ms / 1000))}\u00a0s`;
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

/** Times of the API: RFC 3339 text, or Unix seconds in the guest family. */
export const read = (value) => (typeof value === "number" ? value * 1000 : value ? Date.parse(value) : null);

// Weekly hours

const NAMES = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** "Tuesdays", "weekdays", "Monday and Friday", "Monday to Thursday"; `short` for figures. */
function days(list, short) {
  const index = NAMES.map((_, i) => i).filter((i) => list.includes(NAMES[i].slice(0, 3).toLowerCase()));
  const known = { "0123456": "every day", "01234": "weekdays", "56": "weekends" }[index.join("")];
  if (known) return known;
  const names = index.map((i) => (short ? NAMES[i].slice(0, 3) : NAMES[i]));
  const last = names.pop();
  if (!names.length) return `${NAMES[index[0]]}s`;
  return index.length > 2 && index[index.length - 1] - index[0] === index.length - 1 ? `${names[0]} to ${last}` : `${names.join(", ")} and ${last}`;
}

/** One or several lines of a schedule, in a sentence ("Tuesdays, 9:00 to 12:00") or in figures ("Tuesdays 9:00–12:00"). */
export const schedule = (value, { figures = false } = {}) => [].concat(value || []).map((line) => figures
  ? `${days(line.days, true)} ${wallTime(line.from)}\u2060–\u2060${wallTime(line.to)}`
  : `${days(line.days)}, ${wallTime(line.from)} to ${wallTime(line.to)}`).join(figures ? " · " : "; ");
