// What was seen, in words: one event, or those of one incident as a single row.

import { events as words } from "./words.js";

const DRAWINGS = { person: "person", vehicle: "vehicle", package: "package", animal: "animal", motion: "motion", ring: "bell" };
/** What a row of several is called after: the more telling goes first. */
const TELLING = ["ring", "person", "package", "vehicle", "animal"];

export const drawingOf = (type) => DRAWINGS[type] || "camera";
/** Whether a machine looked at the picture and said so: nobody of the house wrote it. */
export const byMachine = (event) => event.description_source === "describer";
export const headOf = (event) => event.description || words.type(event.smart_detection_type);

/** Events of one incident, newest first, as a row: `{ head, line, drawing, shown }`. */
export function rowOf(events) {
  const rank = (event) => (TELLING.indexOf(event.smart_detection_type) + 1 || 9) + (event.has_thumbnail ? 0 : 0.5);
  const shown = events.reduce((best, event) => (rank(event) < rank(best) ? event : best));
  // In the order in which it was seen; what only moved is said where nothing else is known.
  const types = [...new Set(events.map((event) => event.smart_detection_type).reverse())].filter((type) => type !== "motion" || events.length === 1);
  const told = types.filter((type) => shown.description || type !== shown.smart_detection_type).map(words.type);
  const span = Date.parse(events[0].timestamp) - Date.parse(events[events.length - 1].timestamp);
  const line = [shown.camera_name, told.join(", "), byMachine(shown) && words.byMachine, events.length > 1 && words.several(events.length, span)].filter(Boolean).join(" · ");
  return { head: headOf(shown), line, drawing: drawingOf(shown.smart_detection_type), shown };
}
