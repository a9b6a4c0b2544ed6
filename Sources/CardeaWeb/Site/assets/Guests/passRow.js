// A pass in a list, and the words and tones of its status.

import { h } from "../Shell/dom.js";
import { badge } from "../Shell/components.js";
import { text } from "../Shell/text.js";
import { shortMoment } from "../Shell/relativeTime.js";
import { clock, dayInSentence, dayWord, longDay, now, read, schedule } from "../Shell/time.js";

const words = text.guests;
const TONES = { active: "accent", approval_pending: "info", waiting: "quiet", scheduled: "quiet", suspended: "brass", used_up: "danger", rejected: "quiet", expired: "quiet", revoked: "quiet" };

/** The next opening of a pass that is on a phone and outside its hours; otherwise null. */
export const nextStart = ({ status, next_from }) => (status === "active" && read(next_from) > now() ? read(next_from) : null);

export function statusBadge(guest) {
  const { status } = guest, next = nextStart(guest), start = status === "scheduled" && read(guest.next_from || guest.starts_at);
  return badge(next ? words.next(next) : start ? words.starts(start) : words.status[status] || status, next ? "quiet" : TONES[status] || "quiet");
}

export const doorNames = (guest) => guest.grants.map((grant) => grant.device_name || grant.device_id).join(", ");

/** The validity of a pass in few words: "Today 14:00–18:00", "Tuesdays 9:00–12:00, until 20 December". */
export function validityOf(guest) {
  const start = read(guest.starts_at), end = read(guest.expires_at);
  if (guest.schedule) return `${schedule(guest.schedule, { figures: true })}, until ${dayInSentence(end)}`;
  const from = start && start > read(guest.created_at) - 1000 ? start : null;
  const sameDay = from && longDay(from) === longDay(end);
  if (sameDay) return `${dayWord(from)} ${clock(from)}\u2060–\u2060${clock(end)}`;
  if (from && from > now()) return `${shortMoment(from)} to ${shortMoment(end)}`;
  return `${now() < end ? "Until" : "Ended"} ${shortMoment(end)}`;
}

export function passRow(guest, { long } = {}) {
  return h("li", h("span.row-words", h("a.row-link", { href: `/guests/${encodeURIComponent(guest.guest_id)}` }, guest.name),
    h("span.small.third", `${doorNames(guest)} · ${validityOf(guest)}${long || guest.max_uses ? ` · ${words.uses(guest)}` : ""}`)), statusBadge(guest));
}
