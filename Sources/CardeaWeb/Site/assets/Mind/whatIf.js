// Predictions: the effect of an imagined change, calculated from past days.

import { api, attempt, buttons, capitalize, choice, field, fill, follow, h, icon, number, read, row, rows, section, segments, session, shortMoment, small, text } from "../Shell/ui.js";
import { may, nameOf } from "../Devices/deviceKinds.js";
import { chart, point } from "../Devices/plot.js";
import { timeField } from "../Guests/timeField.js";
import { mind, page, deviceOf, plain } from "./shared.js";

const words = {
  lead: "A simulation. Nothing is changed.",
  what: "What changes", kinds: { room: "A room", device: "A device", watch: "A notification", access: "Who gets in" },
  room: "Room", temperature: (unit) => `Temperature, ${unit}`, warmWrong: (low, high) => `A temperature from ${low} to ${high}.`, wait: "Open for", waits: { "10m": "10 min", "1h": "1 h", "8h": "8 h" }, device: "Device", power: "Is", powers: { on: "on", off: "off" },
  who: "Whose pass", rules: { revoked: "taken back", asks_each_time: "asked each time", local_only: "only in the Wi\u2011Fi", schedule: "only at hours" },
  from: "Only from", to: "Until", duration: "For how long",
  go: "Calculate", choose: "Choose one.",
  metrics: { energy: "Energy", cost: "Cost", comfort: "Comfort", temperature: "Temperature", access: "Doors" }, usually: "Usually", would: "Would be",
  advice: "Ways to save",
  replay: "Who would have got in", was: (when, { who, was, would_be: would }) => `${when}${who ? `, ${who}` : ""}: ${plain(was)}, would be ${plain(would)}`,
};

/** The state of an open or unlocked device. */
const OPEN = { lock: "unlocked", cover: "open", binary_sensor: "on" };
const opens = ({ entity_type: type, device_class: kind }) => OPEN[type] && (type !== "binary_sensor" || /^(door|window|opening|garage_door)$/.test(kind));

export async function open({ until, say }) {
  let kind = "room", duration = "8h";
  const { scheduleEditor } = await import("../Guests/schedule.js");
  const room = choice(words.room, session.house.rooms.map((one) => [one.room_id, one.name])), warm = field(words.temperature(number.unit("°C")), { inputmode: "decimal", value: Math.round(number.own(21, "°C")) });
  const weekly = scheduleEditor(() => {}), noDays = h("span.field-error"), hoursOf = h("div"), thing = choice(words.device, []), wait = choice(words.wait, Object.entries(words.waits));
  const device = choice(words.device, []), power = choice(words.power, Object.entries(words.powers)), who = choice(words.who, []), rule = choice(words.what, Object.entries(words.rules), { onchange: () => fill(hoursOf, rule.value === "schedule" && weekly.node) });
  const from = timeField(words.from), to = timeField(words.to), pair = (...two) => h("div.two", two.map(({ node }) => node)), hours = pair(from, to);
  const forms = { room: pair(room, warm), device: pair(device, power), watch: pair(thing, wait), access: [pair(who, rule), hoursOf] };
  const fields = h("div.stack"), result = h("div", { tabindex: "-1" }), go = h("button.button.filled", { type: "submit" }, words.go);
  const pick = (chosen) => fill(fields, forms[(kind = chosen)], kind !== "access" && hours);
  pick(kind);
  const offer = (topic, ...lists) => until(follow(topic, (all) => lists.forEach(([one, pairs]) => one.input.length || one.offer(all.flatMap(pairs))), () => {}));
  offer("devices", [device, (one) => (one.entities.some((entity) => may(entity, "on")) ? [[one.device_id, one.name]] : [])],
    [thing, (one) => one.entities.filter(opens).map((entity) => [entity.entity_id, nameOf(one, entity)])]);
  if (session.can("invite_guests")) offer("guests", [who, (one) => [[`guest:${one.guest_id}`, one.name]]]);

  /** The changes in the form of the API; undefined if a field is wrong. */
  function readChanges() {
    const start = from.time(), end = to.time(), when = start && end ? { from: start, to: end } : {};
    // Hours need both ends.
    if (!from.value !== !to.value) (from.value ? to : from).error(text.invite.timeUnreadable);
    const temperature = number.house(parseFloat(warm.value.replace(",", ".")), "°C"), one = { room, device, watch: thing, access: who }[kind];
    const isWeekly = rule.value === "schedule", [[missing, spot] = []] = isWeekly && kind === "access" ? weekly.problems() : [];
    warm.error(temperature >= 5 && temperature <= 35 ? null : words.warmWrong(...[5, 35].map(number.degrees)));
    one.error(one.value ? null : words.choose);
    noDays.remove();
    // A time field shows its error by itself.
    if (spot && spot.type === "button") {
      spot.parentNode.after(fill(noDays, icon("alert", "i14"), missing));
      say(missing);
    }
    const wrong = fields.querySelector("[aria-invalid]") || spot;
    if (wrong) return wrong.focus();
    const change = { room: { temperature, ...when }, device: { power: power.value, ...when }, access: { [rule.value]: !isWeekly || { lines: [weekly.value()].flat() } },
      watch: { watch: { states: [OPEN[one.value.split(".")[0]]], longer_than: wait.value, ...when } } }[kind];
    return { [kind === "watch" ? "device" : kind]: { [one.value]: change } };
  }

  return page(until, "what-if", { sub: words.lead }, h("form.form.narrow", { novalidate: true, onsubmit(event) {
    event.preventDefault();
    const changes = readChanges();
    if (changes) attempt(go, result, async () => {
      const answer = await api("POST", "/predictions/what-if", { body: { scenario: words.kinds[kind], changes, duration, ...(kind === "room" && { metrics: ["energy", "cost", "comfort", "temperature"] }) } });
      fill(result, shown(answer));
      result.focus();
      say(answer.response);
    });
  } }, segments(words.what, Object.entries(words.kinds).filter(([name]) => name !== "access" || session.can("invite_guests")), kind, pick), fields, h("div", h("p.field-label", words.duration), segments(words.duration, Object.entries(mind.spans), duration, (chosen) => (duration = chosen))), buttons(go)), result);
}

function shown({ response, about, results, problems, recommendations, basis, replay }) {
  const found = Object.entries(results), part = (title, ...nodes) => section(title, { level: "h3" }, nodes);
  return [
    section(capitalize(about), {}, !found.length && h("p", response)),
    found.map(([metric, { words: said, unit, series }]) => {
      // Comfort is a share, drawn in percent.
      const by = metric === "comfort" ? 100 : 1;
      return part(words.metrics[metric], h("p", said), series.length > 1 && h("div.panel.padded", chart(words.metrics[metric], by > 1 ? "%" : unit, [
        { name: words.usually, points: series.map((one) => point(one.at, one.baseline * by)) }, { name: words.would, points: series.map((one) => point(one.at, one.predicted * by, one.low * by, one.high * by)) },
      ])));
    }),
    found.length > 0 && [...new Set(Object.values(problems))].map((why) => h("p.third.section", why)),
    recommendations.length > 0 && part(words.advice, rows(recommendations.map((one) => row(one.words)))),
    replay && replay.rows.length > 0 && part(words.replay, rows(replay.rows.map((one) => row(deviceOf(one.device_id)?.name || one.device_id, null, words.was(shortMoment(read(one.at)), one)))), replay.more_rows && small(mind.more(replay.more_rows))),
    part(mind.evidence, h("p", basis.words)),
  ];
}
