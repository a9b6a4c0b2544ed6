// Weekly hours in words.

import { twelve, two } from "./time.js";

/** A wall-clock text such as "09:00" as people here say it. */
export function wall(text) {
  const [hour, minute] = text.split(":").map(Number);
  if (!twelve) return `${hour}:${two(minute)}`;
  return `${hour % 12 || 12}:${two(minute)}\u00a0${hour < 12 || hour === 24 ? "am" : "pm"}`;
}

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const NAMES = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** "Tuesdays", "weekdays", "Monday and Friday", "every day". */
export function days(list, short = false) {
  const index = DAYS.map((day, i) => (list.includes(day) ? i : -1)).filter((i) => i >= 0);
  const key = index.join("");
  if (key === "0123456") return "every day";
  if (key === "01234") return "weekdays";
  if (key === "56") return "weekends";
  if (index.length === 1) return `${NAMES[index[0]]}s`;
  const run = index.length > 2 && index[index.length - 1] - index[0] === index.length - 1;
  const name = (i) => (short ? NAMES[i].slice(0, 3) : NAMES[i]);
  if (run) return `${name(index[0])} to ${name(index[index.length - 1])}`;
  return `${index.slice(0, -1).map(name).join(", ")} and ${name(index[index.length - 1])}`;
}

/** One or several lines of a schedule, in a sentence ("Tuesdays, 9:00 to 12:00") or in figures ("Tuesdays 9:00–12:00"). */
export function schedule(value, { figures = false } = {}) {
  const lines = !value ? [] : Array.isArray(value) ? value : [value];
  return lines.map((line) => figures
    ? `${days(line.days, true)} ${wall(line.from)}\u2060–\u2060${wall(line.to)}`
    : `${days(line.days)}, ${wall(line.from)} to ${wall(line.to)}`).join(figures ? " · " : "; ");
}
