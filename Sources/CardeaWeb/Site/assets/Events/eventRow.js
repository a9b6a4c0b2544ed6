// Camera events as words and as a row of the timeline: time, description, camera, picture. The events of one incident are one row.

import { columnClock, h, icon, timeElement } from "../Shell/ui.js";
import { snapshot, thumbnailPath } from "./snapshot.js";
import { events as words } from "./words.js";

const DRAWINGS = { person: "person", vehicle: "vehicle", package: "package", animal: "animal", motion: "motion", ring: "bell" };
/** The order in which types name a row of several events: the more specific first. */
const TELLING = ["ring", "person", "package", "vehicle", "animal"];

const drawingOf = (type) => DRAWINGS[type] || "camera";
/** True if a program described the picture, and not a person. */
export const isMachineDescribed = (event) => event.description_source === "describer";
export const eventTitle = (event) => event.description || words.type(event.smart_detection_type);

/** Events of one incident, newest first, as a row: `{ head, line, drawing, shown }`. */
function rowOf(events) {
  const rank = (event) => (TELLING.indexOf(event.smart_detection_type) + 1 || 9) + (event.has_thumbnail ? 0 : 0.5);
  const shown = events.reduce((best, event) => (rank(event) < rank(best) ? event : best));
  // In order of time; motion is mentioned only if nothing else is known.
  const types = [...new Set(events.map((event) => event.smart_detection_type).reverse())].filter((type) => type !== "motion" || events.length === 1);
  const told = types.filter((type) => shown.description || type !== shown.smart_detection_type).map(words.type);
  const span = Date.parse(events[0].timestamp) - Date.parse(events[events.length - 1].timestamp);
  const line = [shown.camera_name, told.join(", "), isMachineDescribed(shown) && words.byMachine, events.length > 1 && words.several(events.length, span)].filter(Boolean).join(" · ");
  return { head: eventTitle(shown), line, drawing: drawingOf(shown.smart_detection_type), shown };
}

/** A row of `{ key, at, events }`, newest event first; `onclick(event, shown)` may replace the link. */
export function eventRow({ key, at, events }, { chosen = false, onclick, time = columnClock } = {}) {
  const { head, line, drawing, shown } = rowOf(events);
  const picture = shown.has_thumbnail ? shown : events.find((one) => one.has_thumbnail);
  return h("li", { "data-chosen": chosen || null },
    timeElement(at, time, false),
    h("span.thread", h("span.well-small", icon(drawing, "i18"))),
    h("div.entry-words", h("a.entry-head", { href: `/activity/${encodeURIComponent(shown.id)}`, "data-entry": key, onclick: (event) => onclick && onclick(event, shown) }, head), h("span.small.third.entry-line", line)),
    picture && snapshot(thumbnailPath(picture.id), { className: "entry-shot", corner: events.length > 1 && h("span.shot-count", { "aria-hidden": "true" }, String(events.length)) }));
}

/** Groups events, newest first, into rows by incident. */
export function incidentRows(events) {
  const rows = new Map();
  for (const event of events) {
    if (rows.has(event.incident_id)) rows.get(event.incident_id).events.push(event);
    else rows.set(event.incident_id, { key: event.incident_id, at: Date.parse(event.timestamp), events: [event] });
  }
  return [...rows.values()];
}
