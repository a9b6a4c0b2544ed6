// The fields of what a button does: something of a device, or a message to a broker.

import { SWATCHES } from "../Devices/kinds.js";
import { field, fill, h, icon, number, segments, text, toggle } from "../Shell/kit.js";
import { passwordField } from "../Sessions/password.js";
import { buttons as words } from "./words.js";

const RANGES = { set_temperature: [-30, 100], set_position: [0, 100], set_tilt: [0, 100], set_brightness: [0, 100], set_percentage: [0, 100], set_volume: [0, 100] };
const doings = (entity) => entity.actions.filter((one) => one.action !== "read");
const option = (value, word) => h("option", { value }, word);

/** `{ node, check(check), value(), risk, fields }`: one of both, as chosen; `changed()` hears of every choice. */
export function actionFields(devices, button, changed) {
  const kinds = { action: deviceFields(devices, button && !button.publish ? button.action : null, changed), publish: publishFields(button && button.publish, changed) };
  let kind = button && button.publish ? "publish" : "action";
  const show = () => Object.entries(kinds).forEach(([name, one]) => (one.node.hidden = name !== kind));
  const choice = segments(words.does, Object.entries(words.kinds), kind, (value) => {
    kind = value;
    show();
    changed();
  });
  show();
  return {
    node: h("fieldset.stack", h("legend.field-label", words.does), choice, kinds.action.node, kinds.publish.node),
    fields: kinds.publish.fields,
    get risk() {
      return kinds[kind].risk;
    },
    check: (check) => kinds[kind].check(check),
    value: () => ({ [kind]: kinds[kind].value() }),
  };
}

function deviceFields(devices, action, changed) {
  // A button that sends a message is a device too; one that presses another would be one too many.
  const able = devices.filter((device) => device.integration !== "buttons").map((device) => ({ ...device, entities: device.entities.filter((entity) => entity.is_enabled && doings(entity).length) })).filter((device) => device.entities.length);
  const device = field(words.device, { name: "button-device", onchange: chooseDevice }, { tag: "select" });
  const entity = field(words.entity, { name: "button-entity", onchange: chooseEntity }, { tag: "select" });
  const verb = field(words.verb, { name: "button-verb", onchange: chooseVerb }, { tag: "select" });
  const value = field("", { name: "button-value", inputmode: "decimal", autocomplete: "off" });
  const shade = field(words.colour, { name: "button-colour" }, { tag: "select" });
  const mode = field(text.tile.mode, { name: "button-mode" }, { tag: "select" });
  const node = h("div.stack");
  let mine = null;
  const rooms = [...new Set(able.map((one) => one.room || ""))];
  const chosen = () => able.find((one) => one.device_id === device.value);
  const part = () => chosen() && (chosen().entities.find((one) => one.entity_id === entity.value) || chosen().entities[0]);

  fill(device.input, option("", words.choose), rooms.map((room) => {
    const options = able.filter((one) => (one.room || "") === room).map((one) => option(one.device_id, one.name));
    return room ? h("optgroup", { label: room }, options) : options;
  }), action && !able.some((one) => one.device_id === action.device_id) && option(action.device_id, text.goneDevice));
  fill(shade.input, Object.keys(SWATCHES).map((name) => option(name, text.tile.swatches[name])));
  if (action) {
    device.input.value = action.device_id;
    const holder = able.find((one) => one.device_id === action.device_id);
    mine = holder && (holder.entities.find((one) => (action.entity_id ? one.entity_id === action.entity_id : doings(one).some((does) => does.action === action.action))));
    chooseDevice();
    if (mine) entity.input.value = mine.entity_id;
    chooseEntity();
    verb.input.value = action.action;
    if (typeof action.value === "number") value.input.value = String(own(action.value));
    const same = Object.keys(SWATCHES).find((name) => JSON.stringify(SWATCHES[name]) === JSON.stringify(action.value));
    if (action.action === "set_color" && !same) shade.input.append(option("as it is", words.asItIs));
    if (action.action === "set_color") shade.input.value = same || "as it is";
  } else chooseDevice();
  chooseVerb();
  if (action && action.action === "set_mode") mode.input.value = action.value;

  function chooseDevice() {
    device.error(null);
    const one = chosen();
    fill(entity.input, one && one.entities.map((each) => option(each.entity_id, each.name || each.entity_id)));
    chooseEntity();
  }

  function chooseEntity() {
    const one = part();
    fill(verb.input, one && doings(one).map(({ action: name }) => option(name, text.verbs[name] || name.replace(/_/g, " "))));
    chooseVerb();
  }

  /** What is not asked for is not on the page. */
  function chooseVerb() {
    const one = chosen(), range = RANGES[verb.value];
    const shown = [device, one && one.entities.length > 1 && entity, one && verb, one && range && value, one && verb.value === "set_color" && shade, one && verb.value === "set_mode" && mode].filter(Boolean);
    if (shown.includes(mode)) fill(mode.input, (one.attributes.hvac_modes || []).map((name) => option(name, text.tile.modes[name] || name)));
    node.replaceChildren(...shown.map((each) => each.node), ...(one && risk() === "open" ? [h("p.small.press-note", icon("door-open", "i18"), h("span", words.opens))] : able.length ? [] : [h("p.small.third", words.noDevices)]));
    value.node.firstChild.textContent = words.value(number.unit(unit()));
    value.error(null);
    changed();
  }

  /** In what the value is, and a value of the house as this person reads it, to a hundredth. */
  function unit() {
    return verb.value === "set_temperature" ? "°C" : "%";
  }
  function own(value) {
    return Math.round(number.own(value, unit()) * 100) / 100;
  }

  function risk() {
    const does = part() && part().actions.find((one) => one.action === verb.value);
    return does ? does.risk : "control";
  }

  const written = () => number.house(Number(value.value.trim().replace(",", ".")), unit());
  return {
    node, fields: {},
    get risk() {
      return risk();
    },
    check(check) {
      check(device, device.value ? null : words.deviceMissing);
      const range = RANGES[verb.value], wrong = range && (!value.value.trim() || !(written() >= range[0] && written() <= range[1]));
      check(value, wrong ? words.valueMissing(...range.map(own)) : null);
    },
    value() {
      const one = chosen();
      // One that is gone stays as it was written, until another is chosen.
      if (!one) return { ...action };
      // A button that is only renamed does what it did, also where nobody asks for it here: another action, and its tags were outdated.
      const same = action && action.device_id === device.value && action.action === verb.value && part() === mine;
      const body = same ? { ...action } : { device_id: device.value, action: verb.value };
      if (!same && one.entities.length > 1) body.entity_id = part().entity_id;
      if (RANGES[verb.value]) body.value = written();
      if (verb.value === "set_mode") body.value = mode.value;
      if (verb.value === "set_color") body.value = shade.value === "as it is" ? action.value : SWATCHES[shade.value];
      return body;
    },
  };
}

function publishFields(was, changed) {
  const now = was || { via: "mqtt", topic: "", message: "", risk: "open", state_topic: null, state_message: null, signed: false, has_timestamp_key: false };
  const draft = { via: now.via, risk: now.risk, away: false };
  const plain = { autocomplete: "off", spellcheck: "false", autocapitalize: "none" };
  const topic = field(words.topic, { name: "button-topic", ...plain, value: now.topic }, { help: words.topicHelp });
  const message = field(words.body, { name: "button-message", ...plain, value: now.message }, { tag: "textarea", help: words.bodyHelp });
  const stateTopic = field(words.stateTopic, { name: "button-state-topic", ...plain, value: now.state_topic || "" }, { help: words.stateTopicHelp });
  const stateMessage = field(words.stateMessage, { name: "button-state-message", ...plain, value: now.state_message || "" }, { help: words.stateMessageHelp });
  const signed = toggle(words.signed, { help: words.signedHelp, on: now.signed, sends: true });
  const stamp = passwordField(words.stamp, { name: "button-stamp", help: now.has_timestamp_key ? text.settings.endpoint.keep : words.stampHelp });
  stamp.input.required = false;
  stamp.input.autocomplete = "off";
  const away = toggle(words.stampAway, { on: false, sends: true, change: (on) => {
    draft.away = on;
    stamp.node.hidden = on;
  } });
  const through = h("p.small.third", { hidden: draft.via !== "endpoint" }, words.endpointHelp);
  const lets = h("p.small.press-note", { hidden: draft.risk !== "open" }, icon("door-open", "i18"), h("span", words.opens));
  const node = h("div.stack",
    h("fieldset", h("legend.field-label", words.via), segments(words.via, Object.entries(words.vias), draft.via, (value) => {
      draft.via = value;
      through.hidden = value !== "endpoint";
    }), through),
    topic.node, message.node,
    h("fieldset", h("legend.field-label", words.risk), segments(words.risk, Object.entries(words.risks), draft.risk, (value) => {
      draft.risk = value;
      lets.hidden = value !== "open";
      changed();
    }), lets),
    h("details.fold", { open: Boolean(now.state_topic) }, h("summary", words.proof), h("div.stack", h("p.small.third", words.proofHelp), stateTopic.node, stateMessage.node)),
    h("details.fold", { open: now.signed || now.has_timestamp_key }, h("summary", words.firmware), h("div.stack", signed.node, stamp.node, now.has_timestamp_key && away.node)));
  for (const input of [signed.input, away.input]) input.addEventListener("change", changed);

  const fold = (one, message) => {
    if (message) one.node.closest("details").open = true;
    return message;
  };
  return {
    node, fields: { topic, message, state_topic: stateTopic, state_message: stateMessage, timestamp_key: stamp },
    get risk() {
      return draft.risk;
    },
    check(check) {
      check(topic, topic.value.trim() ? null : words.topicMissing);
      check(message, message.value ? null : words.bodyMissing);
      check(stamp, fold(stamp, draft.away || !stamp.value || /^[0-9a-f]{32}$/i.test(stamp.value.trim()) ? null : words.stampWrong));
    },
    value: () => ({
      via: draft.via, topic: topic.value.trim(), message: message.value, risk: draft.risk, signed: signed.input.checked,
      ...(stateTopic.value.trim() && { state_topic: stateTopic.value.trim() }),
      ...(stateTopic.value.trim() && stateMessage.value && { state_message: stateMessage.value }),
      ...(draft.away ? { timestamp_key: "" } : stamp.value.trim() && { timestamp_key: stamp.value.trim() }),
    }),
  };
}
