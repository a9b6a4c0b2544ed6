// The twins of the devices: reported, requested and pending states; and the measured, modeled and predicted temperature of a room.

import { api, liveSection, capitalize, clock, empty, facts, fill, h, listOf, number, path, read, row, rows, section, shortMoment, small, source, badge, when } from "../Shell/ui.js";
import { kindOf } from "../Devices/deviceKinds.js";
import { chart, point } from "../Devices/plot.js";
import { page, deviceOf, deviceChips, plain } from "./shared.js";

/** The value of an attribute with its unit, by the attribute's name. */
const formatValue = (key, value) => (/temperature/.test(key) ? number.degrees(value) : /brightness|position|percentage|volume|tilt|humidity/.test(key) ? number.percent(value) : value);
const VERBS = { lock: "locked", unlock: "unlocked", close: "closed", play: "playing", pause: "paused" };

const words = {
  none: "No twins yet.", noneDo: "Every connected device has one.", out: "Not as asked", in: "As asked", planned: "Only planned",
  statuses: { synchronized: "As asked", out_of_sync: "Not as asked", syncing: "In progress", no_real_device: "Only planned", error: "Faulty" },
  heard: "Last report ", never: "No report yet.", reported: "Reported", desired: "Requested", pending: "In progress", nothing: "Nothing.",
  differs: (keys) => keys.length > 0 && `It differs in ${listOf(keys.map((key) => plain(key.split("/").pop())))}.`,
  report: ({ last_reported: last, state, attributes }) => last ? `Not known, last reported ${plain(last.state)}` : capitalize([plain(state), ...Object.entries(attributes).filter(([, value]) => /^[ns][ut]/.test(typeof value)).map(([key, value]) => `${plain(key)} ${formatValue(key, value)}`)].join(", ")),
  wish: ({ action, value }) => capitalize(`${VERBS[action] || plain(action)} ${value === null ? "" : formatValue(action, value)}`),
  since: (when, by, until) => `since ${when}${by ? `, by ${by}` : ""}${until ? `, until ${until}` : ""}`,
  warmth: "Room temperature", lines: ["Inside", "Model", "Forecast", "Outside"],
  keeps: "Keeps warm", heats: "Heating adds", readings: "Learned from",
  between: ({ value, low, high }, unit) => `${number.step(value, 1)} (${number.step(low, 1)}–${number.step(high, 1)})\u00a0${unit}`,
};

const GROUPS = [[words.out, /err|out|ing$/], [words.in, /zed$/], [words.planned, /^no/]];
const TONES = { error: "danger", out_of_sync: "brass", syncing: "info" };

export async function open({ params: [id], until }) {
  const twin = id && (await api("GET", path("twins", id)));
  const measures = id && Object.values(twin.reported).some(({ kind, state }) => kind === "sensor" && !isNaN(parseFloat(state)));
  const meters = measures ? (await api("GET", path("devices", twin.device_id))).entities.filter((one) => kindOf(one) === "sensor") : [];
  const { historySection } = measures ? await import("../Devices/history.js") : {};
  return page(until, "twins", id ? { title: twin.name, back: "/house/twins" } : {}, liveSection(until, source(path("twins", ...(id ? [id] : [])), /^twin/), id ? one : all),
    meters.map((entity) => historySection(twin, { entity, name: entity.name }, meters[1], until)));
}

const all = ({ twins }, node) => fill(node, GROUPS.map(([name, statuses]) => {
  const mine = twins.filter((twin) => statuses.test(twin.sync_status));
  return mine.length ? section(name, { aside: small(mine.length) }, rows(mine.map((twin) => row(twin.name, `/house${path("twins", twin.id)}`, twin.last_sync ? [words.heard, when(twin.last_sync)] : words.never,
    TONES[twin.sync_status] && badge(words.statuses[twin.sync_status], TONES[twin.sync_status]))))) : null;
}), !twins.length && h("div.panel", empty(words.none, words.noneDo)));

function one(twin, node) {
  const { entities = [] } = deviceOf(twin.device_id) || {}, entries = Object.entries(twin.reported);
  const named = (id) => (entries.length > 1 && entities.find((one) => one.entity_id === id)?.name) || twin.name;
  const column = (title, list, none) => h("section", h("h2", title), list.length ? facts(list) : h("p.third", none));
  const wishes = (list) => list.map((wish) => [named(wish.entity_id), [h("span", words.wish(wish)), small(words.since(shortMoment(read(wish.since)), wish.by, wish.until && clock(read(wish.until))))]]);
  fill(node, h("p.lead-sentence", words.statuses[twin.sync_status], ". ", words.differs(twin.diverging_keys)), h("div.panel.columns",
    column(words.reported, entries.map(([id, report]) => [named(id), [h("span", words.report(report)), report.at && small(when(report.at))]]), words.never), column(words.desired, wishes(twin.desired), words.nothing), column(words.pending, wishes(twin.pending), words.nothing)),
  h("div.chips.wrap", deviceChips([twin.device_id])), twin.thermal ? temperatureSection(twin.thermal) : twin.thermal_problem && section(words.warmth, {}, h("p.third", twin.thermal_problem)));
}

function temperatureSection(t) {
  const [inside, fitted, forecast, outside] = words.lines;
  return section(words.warmth, {}, h("div.panel.padded", chart(words.warmth, "°C", [
    { name: inside, points: t.measured.map((one) => point(one.at, one.inside)) }, { name: fitted, points: t.fitted.map((one) => point(one.at, one.value)) },
    { name: forecast, points: t.forecast.map((one) => point(one.at, one.value, one.low, one.high)) }, { name: outside, points: t.measured.filter((one) => one.outside !== null).map((one) => point(one.at, one.outside)) },
  ]), facts([[words.keeps, words.between(t.time_constant, "h")], [words.heats, words.between(t.heating_rate, "°C/h")], [words.readings, `${number.step(t.hours_of_readings, 0)} h`]])));
}
