// The last day of a sensor as a small line beside its value. Each loads when it comes into view, one after the other, and again after an hour at the earliest.

import { session } from "../Sessions/session.js";
import { api } from "../Shell/api.js";
import { fill, h, setText, svg } from "../Shell/dom.js";
import { text } from "../Shell/text.js";
import { DAY, HOUR, now, read } from "../Shell/time.js";
import { isNumericSensor } from "./deviceKinds.js";

const words = text.history;
const WIDE = 96, HIGH = 24, EDGE = 2;
/** Consumption shows when people are at home, so it needs a right. */
const METERS = ["power", "energy", "gas", "water"];
let turn = new Promise((begin) => (window.requestIdleCallback || setTimeout)(begin));

const watched = new IntersectionObserver((all) => all.forEach(({ target, isIntersecting }) => {
  target.near = isIntersecting;
  renew(target);
}));

document.addEventListener("visibilitychange", () => document.querySelectorAll(".spark").forEach((line) => line.near && renew(line)));

/** Draws the day of a tile's sensor into `line`; called again with each new value. */
export function drawSparkline(line, tile) {
  if (!line.tile) watched.observe(line);
  line.tile = tile;
  renew(line);
}

function renew(line) {
  const { device, entity } = line.tile;
  if (device.status === "offline" || !isNumericSensor(entity)) {
    line.asked = 0;
    return clear(line);
  }
  tell(line);
  if (!line.near || Date.now() - (line.asked || 0) < HOUR || document.hidden || document.body.classList.contains("lost")) return;
  if (!session.can("control_devices") || (METERS.includes(entity.device_class) && !session.can("view_energy"))) return;
  line.asked = Date.now();
  turn = turn.then(() => ask(line)).catch(() => {});
}

async function ask(line) {
  const { device, entity } = line.tile, from = now() - DAY;
  // Rows that were only scrolled past load nothing.
  if (!line.near || !line.isConnected) return (line.asked = 0);
  const query = new URLSearchParams({ entity_id: entity.entity_id, from: new Date(from).toISOString(), resolution: "hour" });
  const answer = await api("GET", `/devices/${encodeURIComponent(device.device_id)}/history?${query}`).catch(({ offline, status }) => {
    // After a failure it tries again in a minute.
    line.asked -= offline ? line.asked : status >= 500 && HOUR - 60000;
  });
  if (answer && line.asked) draw(line, answer.points.map(({ at, value, mean = value, min = value, max = value }) => ({ at: read(at), mean, min, max })), from);
}

function clear(line) {
  line.day = null;
  fill(line);
}

/** One hour is not a line; hours without a reading are a gap in it. */
function draw(line, points, from) {
  clear(line);
  if (points.length < 2) return;
  const means = points.map(({ mean }) => mean), low = Math.min(...means), high = Math.max(...means), runs = [];
  points.forEach(({ at, mean }, index) => {
    if (!index || at - points[index - 1].at > 1.5 * HOUR) runs.push([]);
    const up = high > low ? (mean - low) / (high - low) : .5;
    runs[runs.length - 1].push(`${(((at - from) / DAY) * WIDE).toFixed(1)},${(HIGH - EDGE - up * (HIGH - 2 * EDGE)).toFixed(1)}`);
  });
  line.day = { low: Math.min(...points.map(({ min }) => min)), high: Math.max(...points.map(({ max }) => max)), said: h("span.vh") };
  fill(line, svg("svg", { "aria-hidden": "true", focusable: "false", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none" },
    ...runs.map((run) => svg("polyline", { class: "plot-line", points: run.join(" ") }))), line.day.said);
  tell(line);
}

/** The same as text for screen readers, with the current value. */
function tell({ day, tile: { entity } }) {
  const latest = Number(entity.state);
  if (day) setText(day.said, ` ${words.ranges.day}: ${words.sentence(Math.min(day.low, latest), Math.max(day.high, latest), latest, entity.unit_of_measurement)}`);
}
