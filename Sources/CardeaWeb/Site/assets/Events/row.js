// What was seen as a row of the timeline: when, what, where, and its picture.

import { columnClock, h, icon, timeElement } from "../Shell/kit.js";
import { rowOf } from "./entry.js";
import { shot, thumbnail } from "./shot.js";

/** A row of `{ key, at, events }`, the events newest first; `onclick(event, shown)` may take the link's place. */
export function seenRow({ key, at, events }, { chosen = false, onclick, time = columnClock } = {}) {
  const { head, line, drawing, shown } = rowOf(events);
  const picture = shown.has_thumbnail ? shown : events.find((one) => one.has_thumbnail);
  return h("li", { "data-chosen": chosen || null },
    timeElement(at, time, false),
    h("span.thread", h("span.well-small", icon(drawing, "i18"))),
    h("div.entry-words", h("a.entry-head", { href: `/activity/${encodeURIComponent(shown.id)}`, "data-entry": key, onclick: (event) => onclick && onclick(event, shown) }, head), h("span.small.third.entry-line", line)),
    picture && shot(thumbnail(picture.id), { className: "entry-shot", corner: events.length > 1 && h("span.shot-count", { "aria-hidden": "true" }, String(events.length)) }));
}

/** Events, newest first, as rows of what belongs together. */
export function rowsOf(events) {
  const rows = new Map();
  for (const event of events) {
    if (rows.has(event.incident_id)) rows.get(event.incident_id).events.push(event);
    else rows.set(event.incident_id, { key: event.incident_id, at: Date.parse(event.timestamp), events: [event] });
  }
  return [...rows.values()];
}
