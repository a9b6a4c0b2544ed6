// Days and times as people type them, in the house's zone: "today 18", "fri 9.30", "24 nov 18:00", "24.11. 18 uhr".

import { capitalize, clock, DAY, dayDistance, dayWord, field, HOUR, instantOf, now, dateParts, text as words } from "../Shell/ui.js";

const WEEK = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** "9", "9.30", "21:00", "9pm" → "09:00" and so on; null when it is none. */
export function parseClock(text) {
  const m = text.trim().toLowerCase().normalize("NFKC").match(/^(\d{1,2})(?:[:.h]\s?(\d{2}))?\s*(am|pm|uhr|h|o'clock)?$/);
  if (!m) return null;
  let hour = Number(m[1]);
  const minute = Number(m[2] || 0);
  if (m[3] === "pm" && hour < 12) hour += 12;
  if (m[3] === "am" && hour === 12) hour = 0;
  if (hour > 24 || minute > 59 || (hour === 24 && minute)) return null;
  return `${String(hour % 24).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

/** A field for a time of day, in free text; `time()` returns it, or null if it cannot be read. */
export function timeField(label, value = "") {
  const one = field(label, { value, autocomplete: "off", onchange: () => (one.input.value = one.time() || one.value) });
  one.time = () => {
    const time = parseClock(one.value);
    one.error(time || !one.value ? null : words.invite.timeUnreadable);
    return time;
  };
  return one;
}

/** Parses a moment; null if it cannot be read. `dayOnly` takes the end of that day if there is no time. */
export function parseMoment(text, { dayOnly = false, from = now() } = {}) {
  let rest = text.trim().toLowerCase().normalize("NFKC").replace(/\s+/g, " ").replace(/ at /g, " ");
  if (!rest) return null;
  const today = dateParts(from);
  let day = null;
  const take = (pattern, use) => {
    const m = rest.match(pattern);
    if (!m || day) return;
    const found = use(m);
    if (!found) return;
    day = found;
    rest = rest.replace(m[0], " ").trim();
  };
  const plus = (n) => dateParts(instantOf(today.year, today.month, today.day + n, 12));
  take(/\btoday\b/, () => today);
  take(/\btomorrow\b/, () => plus(1));
  take(/\b(\d{4})-(\d{1,2})-(\d{1,2})t?/, (m) => ({ year: +m[1], month: +m[2], day: +m[3] }));
  take(/\b(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})?/, (m) => dated(+m[1], +m[2], m[3]));
  take(/\b(?:(?:sun|mon|tue|wed|thu|fri|sat)[a-z]*,? )?(\d{1,2})(?:st|nd|rd|th)? (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?: (\d{4}))?/, (m) => dated(+m[1], MONTHS.indexOf(m[2]) + 1, m[3]));
  take(/\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?/, (m) => dated(+m[2], MONTHS.indexOf(m[1]) + 1, m[3]));
  take(/\b(sun|mon|tue|wed|thu|fri|sat)[a-z]*\b/, (m) => {
    const weekday = new Date(Date.UTC(today.year, today.month - 1, today.day)).getUTCDay();
    return plus((WEEK.indexOf(m[1]) - weekday + 7) % 7);
  });
  rest = rest.replace(/^[,\s]+|[,\s]+$/g, "");
  const time = rest ? parseClock(rest) : null;
  if (rest && !time) return null;
  if (!day && !time) return null;
  if (!time && !dayOnly) return null;
  day = day || today;
  const real = new Date(Date.UTC(day.year, day.month - 1, day.day));
  if (real.getUTCMonth() !== day.month - 1 || real.getUTCDate() !== day.day) return null;
  const [hour, minute] = (time || "23:59").split(":").map(Number);
  // "24:00" was parsed as 00:00 of the day; the end of the day is meant.
  const late = /(^|\D)24([:.]00)?$/.test(text.trim());
  return instantOf(day.year, day.month, day.day + (late ? 1 : 0), hour, minute);

  function dated(d, month, year) {
    if (year) return { year: +year, month, day: d };
    const thisYear = instantOf(today.year, month, d, 23, 59);
    return { year: thisYear < from - DAY ? today.year + 1 : today.year, month, day: d };
  }
}

/** A moment as the text of a field: "Today, 14:00", "Tue 24 Nov, 9:00". */
export function formatMoment(at, { dayOnly = false } = {}) {
  const distance = dayDistance(at);
  const p = dateParts(at);
  const date = new Date(Date.UTC(p.year, p.month - 1, p.day));
  const name = WEEK[date.getUTCDay()];
  const month = MONTHS[p.month - 1];
  const day = distance === 0 || distance === 1 ? dayWord(at) : `${capitalize(name)} ${p.day} ${capitalize(month)}${p.year === dateParts(now()).year ? "" : ` ${p.year}`}`;
  return dayOnly ? day : `${day}, ${clock(at)}`;
}

/** Now, rounded down to the half hour. */
export function halfHour(at = now()) {
  const p = dateParts(at);
  return instantOf(p.year, p.month, p.day, p.hour, p.minute < 30 ? 0 : 30);
}

const endOf = (at, plusDays = 0) => {
  const p = dateParts(at);
  return instantOf(p.year, p.month, p.day + plusDays, 23, 59);
};

/** The quick choices, as `[from, until]`. */
export const quickRanges = {
  today: () => [halfHour(), endOf(now())],
  weekend() {
    const p = dateParts(now());
    const weekday = new Date(Date.UTC(p.year, p.month - 1, p.day)).getUTCDay();
    if (weekday === 6 || weekday === 0) return [halfHour(), endOf(now(), weekday === 6 ? 1 : 0)];
    const friday = 5 - weekday;
    return [friday === 0 ? Math.max(halfHour(), instantOf(p.year, p.month, p.day, 16)) : instantOf(p.year, p.month, p.day + friday, 16), instantOf(p.year, p.month, p.day + friday + 2, 20)];
  },
  week: () => [halfHour(), endOf(now(), 7)],
  defaults: () => [halfHour(), halfHour() + 4 * HOUR],
};
