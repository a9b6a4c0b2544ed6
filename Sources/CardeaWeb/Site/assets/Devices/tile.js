// The tile of a device in a room: name, state, one control. Lamps show a change at once and undo it if it is refused.

import { onSessionChange, session } from "../Sessions/session.js";
import { announceError, announce } from "../Shell/layout.js";
import { fill, h, icon, setText } from "../Shell/dom.js";
import { setAttribute } from "../Shell/reconcile.js";
import { lowerName, number, text } from "../Shell/text.js";
import { QUEUED_COMMANDS } from "../Shell/storage.js";
import { followConnection, staleSince } from "../Shell/liveData.js";
import { age, shortMoment, since, timeElement } from "../Shell/relativeTime.js";
import { clock, read } from "../Shell/time.js";
import { sendAction, newCommand, deniedNotice, sendCommand } from "./commands.js";
import { holdButtons } from "./doorRow.js";
import { riskiestAction, isStale, isSilent, kindOf, lastReportOf, safestAction, may, denialReason, isNumericSensor } from "./deviceKinds.js";

const words = text.tile;

const DRAWINGS = { light: "bulb", switch: "plug", cover: "blind", climate: "thermometer", fan: "fan", button: "press", media: "speaker", binary_sensor: "window", sensor: "gauge", valve: "drop", alarm_control_panel: "shield", event: "bell", image: "camera" };
const BY_CLASS = { motion: "motion", occupancy: "motion", presence: "person", moisture: "drop", humidity: "drop", temperature: "thermometer", battery: "gauge", door: "door", garage_door: "door", opening: "window", window: "window" };
export const drawingOf = (entity) => BY_CLASS[entity.device_class] || DRAWINGS[kindOf(entity)];

/** The words of a binary sensor. */
export function binaryWord(entity) {
  const on = entity.state === "on";
  if (entity.state !== "on" && entity.state !== "off") return words.unknown;
  switch (entity.device_class) {
    case "motion": return on ? words.motion : words.quiet;
    case "occupancy": case "presence": return on ? words.present : words.absent;
    case "moisture": return on ? words.wet : words.dry;
    case "smoke": return on ? words.smoke : words.noSmoke;
    case "door": case "window": case "opening": case "garage_door": return on ? words.contactOpen : words.contactShut;
    default: return on ? words.yes : words.no;
  }
}

export class DeviceTile extends HTMLElement {
  constructor() {
    super();
    this.hoped = null;
    this.wrong = null;
  }

  update({ device, entity, name }) {
    const first = !this.entity;
    this.device = device;
    this.entity = entity;
    this.label = name;
    if (first) this.build();
    this.paint();
  }

  /** The reason why it cannot be used right now, or null. */
  get denied() {
    return denialReason(this.device, safestAction(this.entity));
  }

  get allowed() {
    return !this.denied;
  }

  /** The command that waits for the connection, if any. */
  get waits() {
    return queued(this.entity.entity_id);
  }

  /** The shown state: the requested value while a lamp's command is in progress or waits, otherwise the confirmed one. */
  get shown() {
    const hoped = this.hoped || (this.waits && this.waits.hoped);
    return hoped ? { ...this.entity, ...hoped, attributes: { ...this.entity.attributes, ...hoped.attributes } } : this.entity;
  }

  build() {
    const switches = may(this.entity, "on") && may(this.entity, "off") && riskiestAction(this.entity).risk !== "open" && this.entity.entity_type !== "climate";
    this.well = h(switches ? "button.well" : "span.well", switches ? { onclick: () => this.flip() } : {}, icon(drawingOf(this.entity), "i22"));
    this.link = h("a.tile-name", { href: `/devices/${encodeURIComponent(this.device.device_id)}` }, this.label);
    this.line = h("span.tile-state");
    this.strip = stripOf(this);
    this.takeBack = h("button.button.plain.small-button.tile-undo", { hidden: true, onclick: () => {
      undo(this.entity.entity_id);
      this.paint();
      announce(`${this.label}: ${words.takenBack}`);
      this.link.focus();
    } }, words.undo, h("span.vh", ` ${this.label}`));
    this.why = deniedNotice(() => this, this.label);
    fill(this, h("div.tile-head", this.well, h("div.tile-words", h("h3", this.link), this.line, this.takeBack)), this.strip && this.strip.node, this.why);
  }

  paint() {
    const e = this.shown;
    const on = e.state === "on" || (e.entity_type === "climate" && e.state !== "off" && e.state !== "unknown");
    setText(this.link, this.label);
    setAttribute(this.well, "data-on", on ? e.entity_type : null);
    const silent = isSilent(this.device, e);
    setAttribute(this, "data-old", silent ? "silent" : null);
    setAttribute(this.well, "data-waiting", this.hoped || this.waits ? true : null);
    this.takeBack.hidden = !this.waits;
    // A read-only entity has no refusal.
    const hides = this.allowed || !e.actions.length;
    if (hides && this.why.contains(document.activeElement)) this.link.focus();
    this.why.hidden = hides;
    if (this.well.tagName === "BUTTON") {
      setAttribute(this.well, "aria-label", words.switchTo(this.label, !on));
      setAttribute(this.well, "aria-disabled", this.allowed ? null : "true");
    }
    let line = stateLine(e, this.device);
    let tone = null;
    if (this.wrong) {
      line = this.wrong;
      tone = "danger";
    } else if (this.waits) {
      line = words.waits(clock(this.waits.until));
      tone = "info";
    } else if (silent || lost(e)) {
      if (!lastReportOf(e)) line = words.noAnswer;
      tone = "unknown";
    } else if (kindOf(e) === "alarm_control_panel" && e.state === "triggered") {
      tone = "danger";
    } else if (isStale(this.device) && kindOf(e) === "sensor") {
      line = words.old(age(read(this.device.last_seen)).replace(/^now$/, "0 s"));
      tone = "brass";
    }
    // Without a connection the tile shows the age of its state, which the page's timer updates.
    const stale = tone ? 0 : staleSince();
    const shown = `${line}${tone || ""}${stale}`;
    setAttribute(this.line, "data-tone", tone || (stale ? "brass" : null));
    if (this.line.dataset.text !== shown) {
      this.line.dataset.text = shown;
      const old = !stale ? null : h("span.tile-age", icon("clock", "i14"), timeElement(stale, (at) => words.old(age(at).replace(/^now$/, words.moment))));
      fill(this.line, tone === "brass" ? icon("clock", "i14") : null, line, old);
    }
    if (this.strip) this.strip.paint(e, this.allowed);
  }

  flip() {
    const on = this.shown.state === "on";
    return this.send(on ? "off" : "on", undefined, { state: on ? "off" : "on" });
  }

  /** Sends the command and shows the requested value; undoes it with a message if it fails. */
  async send(action, value, hoped) {
    const no = denialReason(this.device, may(this.entity, action));
    if (no) return this.refuse(no);
    if (document.body.classList.contains("lost")) return this.queue(action, value, hoped);
    const mine = (this.turn = (this.turn || 0) + 1);
    this.wrong = null;
    if (hoped) this.hoped = { ...this.hoped, ...hoped };
    this.paint();
    const result = await sendAction(this.device, this.entity, action, value);
    if (mine === this.turn) this.settle(result, hoped);
  }

  /** Without a connection a lamp's command waits, and the tile shows until when; other commands are refused. */
  queue(action, value, hoped) {
    if (!mayWait(this.entity, action)) return this.refuse(words.offline);
    this.wrong = null;
    wait(this.device, this.entity, action, value, hoped, this.label);
    announceError(`${this.label}: ${words.waits(clock(this.waits.until))}`);
    this.paint();
  }

  /** The result: confirmed, or the reason why not. */
  settle(result, hoped) {
    if (result.ok) {
      // The requested value stays until the next update carries the confirmed state.
      if (hoped) {
        this.hoped = { ...this.hoped, ...hoped };
        this.entity = this.shown;
      }
      this.hoped = null;
      announce(`${this.label}: ${stateLine(this.entity, this.device)}`);
    } else {
      this.hoped = null;
      this.refuse(result.gaveUp ? words.gaveUp : result.words);
    }
    this.paint();
  }

  /** Shows the reason on the tile, long enough to read it. */
  refuse(why) {
    this.wrong = why;
    announceError(`${this.label}: ${why}`);
    clearTimeout(this.forget);
    this.forget = setTimeout(() => {
      this.wrong = null;
      this.paint();
    }, 8000);
    this.paint();
  }
}

/** True if the state is not known any more and is shown as last reported. Past events, such as a press or a picture, stay known. */
const lost = (e) => !/^(event|image)$/.test(kindOf(e)) && lastReportOf(e);

/** The second line of a tile: the state, or the last reported one with its time. */
export function stateLine(e, device) {
  const last = lost(e);
  if (last) return `${words.unknown}, ${text.lastReported(wordOf(last, device), read(last.at))}`;
  const line = lineOf(lastReportOf(e) || e, device);
  return !e.is_assumed ? line : e.state === "unknown" ? text.assumed : words.assumed(line);
}

/** The state as words, also for a sensor, whose tile shows the value in large. A room temperature comes without "now". */
function wordOf(e, device) {
  const degrees = e.attributes.current_temperature;
  switch (kindOf(e)) {
    case "sensor": return figures(e).join("");
    case "binary_sensor": return binaryWord(e);
    case "climate": return Number.isFinite(degrees) ? number.degrees(degrees) : lineOf(e, device);
    default: return lineOf(e, device);
  }
}

/** A reading and its unit. */
const figures = (e) => [number.bare(e.state, e.unit_of_measurement, e.attributes.suggested_display_precision), e.unit_of_measurement ? `\u00a0${number.unit(e.unit_of_measurement)}` : ""];

function lineOf(e, device) {
  const a = e.attributes;
  switch (kindOf(e)) {
    case "light": return e.state === "on" ? (a.brightness !== undefined && a.brightness !== null ? words.onAt(a.brightness) : words.on) : e.state === "off" ? words.off : words.unknown;
    case "fan": return e.state === "on" ? (a.percentage ? words.onAt(a.percentage) : words.on) : e.state === "off" ? words.off : words.unknown;
    case "switch": case "media": return e.state === "on" ? words.on : e.state === "off" ? words.off : words.unknown;
    case "event": return read(e.state) ? words.happened(a.event_type, shortMoment(read(e.state))) : words.never;
    case "image": return read(e.state) ? shortMoment(read(e.state)) : words.never;
    case "alarm_control_panel": return e.state === "unknown" ? words.unknown : words.alarm(e.state);
    case "cover": case "valve": return e.state === "closed" ? words.shut : e.state === "open" || e.state === "stopped" ? words.open(a.position) : words[e.state] || words.unknown;
    case "climate": return a.current_temperature !== undefined && a.current_temperature !== null ? words.now(a.current_temperature) : text.tile.modes[e.state] || words.unknown;
    case "binary_sensor": {
      const changed = read(device.state_changed_at);
      if (!changed) return "";
      return e.device_class === "motion" && e.state === "off" ? words.noMotion(since(changed)) : since(changed);
    }
    default: return "";
  }
}

/** The one control of a tile: `{ node, paint(entity, allowed) }`. */
function stripOf(tile) {
  const { entity, label } = tile;
  const kind = kindOf(entity);
  if ((kind === "light" && may(entity, "set_brightness")) || (kind === "fan" && may(entity, "set_percentage"))) return slider(tile);
  if (kind === "cover" || kind === "valve") return steps([["open", "up", words.up(label)], ["stop", "stop", words.stop(label)], ["close", "down", words.down(label)]].filter(([action]) => may(entity, action)), (action) => tile.send(action));
  if (kind === "climate" && may(entity, "set_temperature")) return temperatureStepper(tile);
  if (may(entity, "on") && may(entity, "off")) return riskiestAction(entity).risk === "open" ? holdButtons(tile, ["on", "off"]) : pair(tile);
  if (kind === "button" && may(entity, "press")) return riskiestAction(entity).risk === "open" ? holdButtons(tile, ["press"]) : press(tile);
  if (kind === "sensor") return reading(tile);
  if (kind === "binary_sensor") return word();
  return null;
}

/** A native range: at most five commands a second while dragging, and one at the end. */
export function slider(tile) {
  const light = tile.entity.entity_type === "light";
  const action = light ? "set_brightness" : "set_percentage";
  const of = (e) => Math.round(Number(light ? e.attributes.brightness : e.attributes.percentage) || 0);
  let last = 0, held = false, timer = 0, sent = null;
  const input = h(`input.range${light ? ".lamp" : ""}`, { type: "range", min: "0", max: "100", step: "1", "aria-label": light ? words.brightness(tile.label) : words.speed(tile.label) });
  const send = () => {
    last = Date.now();
    const value = (sent = Number(input.value));
    tile.send(action, value, { state: value ? "on" : "off", attributes: light ? { brightness: value } : { percentage: value } });
  };
  input.addEventListener("input", () => {
    held = true;
    show(Number(input.value), true);
    clearTimeout(timer);
    if (Date.now() - last > 200) send();
    else timer = setTimeout(send, 200);
  });
  input.addEventListener("change", () => {
    held = false;
    clearTimeout(timer);
    // The value at release is sent once.
    if (Number(input.value) !== sent) send();
    sent = null;
  });
  input.addEventListener("keydown", (event) => {
    const jump = { PageUp: 10, PageDown: -10 }[event.key];
    if (!jump) return;
    event.preventDefault();
    input.value = Number(input.value) + jump;
    input.dispatchEvent(new Event("change"));
  });
  const show = (value, on) => {
    input.style.setProperty("--v", `${value}%`);
    setAttribute(input, "data-off", on ? null : true);
    setAttribute(input, "aria-valuetext", on ? `${value} percent` : text.tile.off);
  };
  return { node: input, paint(e, allowed) {
    input.disabled = !allowed;
    if (held) return;
    input.value = of(e);
    show(of(e), e.state === "on");
  } };
}

function steps(list, run) {
  const node = h("div.strip", list.map(([action, drawing, name]) => h("button", { "aria-label": name, title: name, onclick: () => run(action) }, icon(drawing, "i18"))));
  return { node, paint: (e, allowed) => node.querySelectorAll("button").forEach((button) => setAttribute(button, "aria-disabled", allowed ? null : "true")) };
}

function pair(tile) {
  const make = (on) => h("button", { "aria-label": `${words.switchTo(tile.label, on)}`, onclick: () => tile.send(on ? "on" : "off", undefined, { state: on ? "on" : "off" }) }, on ? words.on : words.off);
  const off = make(false), on = make(true);
  const node = h("div.strip.pair", off, on);
  return { node, paint(e, allowed) {
    setAttribute(off, "aria-pressed", String(e.state === "off"));
    setAttribute(on, "aria-pressed", String(e.state === "on"));
    setAttribute(off, "aria-disabled", allowed ? null : "true");
    setAttribute(on, "aria-disabled", allowed ? null : "true");
  } };
}

/** True for a thermostat with a range instead of one target. */
export const isRanged = ({ attributes: { target_temperature: one, target_temperature_low: low } }) => !Number.isFinite(one) && Number.isFinite(low);

/** Half a degree Celsius or one degree Fahrenheit for each press, sent 600 ms after the last. `bound` is "low" or "high" of a range. */
export function temperatureStepper(tile, bound) {
  const shown = h("span.strip-value"), of = (e) => e.attributes[`target_temperature${bound ? `_${bound}` : ""}`];
  let timer = 0, wanted = null;
  const step = (by) => {
    const current = wanted ?? Number(of(tile.shown) ?? 20), own = number.own(current, "°C");
    wanted = Math.min(35, Math.max(5, own === current ? Math.round((current + by) * 2) / 2 : number.house(Math.round(own + 2 * by), "°C")));
    setText(shown, number.degrees(wanted));
    clearTimeout(timer);
    timer = setTimeout(() => {
      const { target_temperature_low: low, target_temperature_high: high } = tile.shown.attributes;
      // The ends of a range do not pass each other.
      if (bound === "low") tile.send("set_temperature", { low: Math.min(wanted, high), high }, { attributes: { target_temperature_low: Math.min(wanted, high) } });
      else if (bound) tile.send("set_temperature", { low, high: Math.max(low, wanted) }, { attributes: { target_temperature_high: Math.max(low, wanted) } });
      else tile.send("set_temperature", wanted, { attributes: { target_temperature: wanted } });
      wanted = null;
    }, 600);
  };
  const button = (by, name, drawing) => {
    let again = 0;
    const stop = () => clearInterval(again);
    return h("button", { "aria-label": `${name}: ${lowerName(tile.label)}`, onclick: () => step(by), onpointerdown: () => { stop(); again = setInterval(() => step(by), 450); }, onpointerup: stop, onpointerleave: stop, onpointercancel: stop }, icon(drawing, "i18"));
  };
  const node = h("div.strip.warmth", { role: "group", "aria-label": words.target(tile.label, bound) }, button(-.5, words.colder, "minus"), shown, button(.5, words.warmer, "plus"));
  return { node, paint(e, allowed) {
    const { target_temperature_low: low, target_temperature_high: high } = e.attributes, ranged = !bound && isRanged(e);
    if (wanted === null) setText(shown, ranged ? words.range(low, high) : number.degrees(of(e)));
    node.querySelectorAll("button").forEach((b) => {
      b.hidden = ranged;
      setAttribute(b, "aria-disabled", allowed ? null : "true");
    });
  } };
}

function press(tile) {
  const button = h("button", { onclick: async () => {
    await tile.send("press");
    if (!tile.wrong) {
      setText(button, words.pressed);
      setTimeout(() => setText(button, words.press), 2000);
    }
  } }, words.press);
  return { node: h("div.strip", button), paint: (e, allowed) => setAttribute(button, "aria-disabled", allowed ? null : "true") };
}

/** The value in large, with the line of the last day beside it, whose module loads last. */
function reading(tile) {
  const value = h("span.reading-value"), unit = h("span.reading-unit"), line = h("span.spark");
  return { node: h("p.reading", value, unit, line), paint(e) {
    const [said, of] = figures(e);
    setText(value, said);
    setText(unit, of);
    if (line.tile || isNumericSensor(e)) import("./sparkline.js").then(({ drawSparkline }) => drawSparkline(line, tile), () => {});
  } };
}

function word() {
  const node = h("p.reading.word");
  return { node, paint: (e) => setText(node, binaryWord(e)) };
}

// Commands for lamps while the house cannot be reached. Each is sent when the house answers again, is cancelled, or
// expires; they live as long as the tab, also over reloads. Commands to doors, and those whose meaning changes with time, never wait.

const WAIT_LIMIT = 5 * 60000;
const WAITING_ACTIONS = /^(on|off|open|close|set_\w+)$/;
const waiting = new Map();

/** True for a command of the person who is signed in. */
const isOurs = ({ by }) => by === session.me?.person_id;

/** The waiting command of an entity: `{ until, hoped }`, or undefined. */
const queued = (entityId) => waiting.get(entityId);

/** True for an action that means the same in five minutes and opens no door. */
const mayWait = (entity, action) => WAITING_ACTIONS.test(action) && entity.actions.some((one) => one.action === action && one.risk === "control");

/** Replaces the earlier waiting command, without a message about it. */
function wait(device, entity, action, value, hoped, label) {
  undo(entity.entity_id);
  place({ sent: newCommand(device, entity, action, value), until: Date.now() + WAIT_LIMIT, hoped, label, by: session.me.person_id });
}

function drop(entityId) {
  clearTimeout((queued(entityId) || {}).timer);
  waiting.delete(entityId);
}

function undo(entityId) {
  drop(entityId);
  keep();
}

function keep() {
  try {
    sessionStorage.setItem(QUEUED_COMMANDS, JSON.stringify([...waiting.values()]));
  } catch {
    // Without storage a reload forgets them.
  }
}

function place(one) {
  const end = () => {
    undo(one.sent.entity_id);
    ended(one, { gaveUp: true });
  };
  // A command that expired during a reload is reported when the page is there again.
  waiting.set(one.sent.entity_id, { ...one, timer: setTimeout(end, Math.max(1000, one.until - Date.now())) });
  keep();
}

const tileOf = ({ entity_id: id }) => [...document.querySelectorAll("device-tile")].find(({ entity }) => entity && entity.entity_id === id);

/** Reports the result of a waiting command: on its tile, if it is on this page. */
function ended({ sent, hoped, label }, result) {
  const tile = tileOf(sent);
  if (tile) tile.settle(result, hoped);
  else if (!result.ok) announceError(`${label}: ${result.gaveUp ? words.gaveUp : result.words}`);
}

try {
  JSON.parse(sessionStorage.getItem(QUEUED_COMMANDS) || "[]").filter(isOurs).forEach(place);
  keep();
} catch {
  // Nothing was stored.
}

followConnection((state) => {
  if (state) return;
  for (const one of [...waiting.values()].filter(({ until }) => until > Date.now())) {
    // It stays stored until its result is known.
    drop(one.sent.entity_id);
    if (!isOurs(one)) continue;
    // The connection was lost again: it waits on with its key, so that it is not done twice if it did arrive.
    sendCommand(one.sent).then((result) => {
      if (result.error && result.error.offline && one.until > Date.now() && !queued(one.sent.entity_id)) {
        const tile = tileOf(one.sent);
        place(one);
        if (tile) tile.paint();
        return;
      }
      keep();
      ended(one, result);
    });
  }
});

// Waiting commands are never sent in the name of the next person who signs in.
onSessionChange(() => {
  [...waiting.keys()].forEach(drop);
  keep();
});

customElements.define("device-tile", DeviceTile);
