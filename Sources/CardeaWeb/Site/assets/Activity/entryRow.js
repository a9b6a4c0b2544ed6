// One event in words: a drawing, a head, who and why. Successful entries are neutral; refused ones use the danger color.

import { h, icon } from "../Shell/dom.js";
import { capitalize, text } from "../Shell/text.js";
import { columnClock, timeElement } from "../Shell/relativeTime.js";
import { read } from "../Shell/time.js";
import { session } from "../Sessions/session.js";

const words = text.activity;

/** `{ head, line, drawing, tone }` of an entry of the activity or of a pass's history. */
export function describeEntry(entry, { who = true } = {}) {
  const action = String(entry.action || ""), verb = action.split(".").pop(), happened = words.happened(action === "pair" && entry.result === "asked" ? "pair.ask" : action), drawn = DRAWINGS[action] || DRAWINGS[action.split(".")[0]];
  const device = entry.device_name;
  const name = who ? nameOf(entry.who) : null, via = entry.via && words.via(entry.via.kind, entry.via.name);
  const reason = entry.reason ? text.reasons[entry.reason] || String(entry.reason).replace(/_/g, " ") : null;
  const told = (head, drawing, tone, ...more) => ({ head, line: capitalize([name, via, ...more].filter(Boolean).join(" · ")), drawing, tone });
  const bad = { failed: "danger", refused: "danger", unknown: "unknown", expired: "unknown" }[entry.result], result = words.results[entry.result];
  if (!device) {
    const said = happened || capitalize(action.replace(/[._]/g, " "));
    return told(bad ? `${said}: ${result}` : said, bad === "danger" ? "deny" : drawn || "info", bad, reason);
  }
  // The command was allowed, but the device could not be reached, so nobody was refused.
  if (/^(device_)?unreachable$/.test(entry.reason)) return told(words.troubleHead(device, words.results.silent), "link-off", "unknown", words.notSent);
  if (entry.result === "refused") return told(words.refusedHead(device), "deny", "danger", reason);
  if (bad) return told(words.troubleHead(device, result), "alert", bad, reason);
  // A command of a pass has a name of two parts, "lock.open", and is still an action at the door.
  if (words.house[action] || (happened && !words.verbs[verb])) return told(words.about(device, happened), drawn || "sliders");
  // "Opened" is shown only for a command that the hub confirmed.
  if (entry.result !== "confirmed") return told(words.askedHead(device), "pass", "info", result, reason);
  return told(words.done(device, words.verbs[verb] || verb.replace(/_/g, " ")), DRAWINGS[verb] || "info", null, reason);
}

const DRAWINGS = {
  unlock: "door-open", open: "door-open", lock: "lock", close: "door", stop: "stop", on: "bulb", off: "bulb", set_brightness: "bulb", set_color: "bulb", set_temperature: "thermometer",
  set_position: "blind", set_percentage: "fan", press: "press", tag: "nfc", guest: "pass", pair: "phone", phone: "phone", people: "person", "people.password": "key", "people.join": "people",
  "guest.approve": "check", "command.approve": "check", "guest.reject": "deny", "command.reject": "deny", "guest.new_code": "link", "house.claim": "key", login: "person", logout: "leave",
};

export function nameOf(who) {
  if (!who) return null;
  if (who.id === session.me.person_id) return capitalize(text.door.you);
  return who.name || (who.kind === "system" ? words.nobody : words.someone);
}

/** A short row, as beside Home. */
export function entryRow(entry) {
  const { head, line, drawing, tone } = describeEntry(entry);
  return h("li", tone ? { "data-tone": tone } : {}, timeElement(read(entry.at), columnClock, false), icon(drawing), h("div", h("strong", head), h("span.small", line)));
}

/** A longer row, for the history of a pass or a device; `moment` is the formatter for `timeElement`. */
export const attemptRow = ({ head, line, drawing, tone }, ...moment) =>
  h("li", { "data-tone": tone || null }, icon(drawing), h("span.row-words", h("strong", head), line && h("span.small.third", line)), h("span.small.third.try-at", timeElement(...moment)));
