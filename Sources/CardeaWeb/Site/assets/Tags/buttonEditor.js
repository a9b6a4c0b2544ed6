// One button: its title, its action, its tags. People who may not change it see the same as text.

import { SWATCHES, choicesOf } from "../Devices/deviceKinds.js";
import { passwordField } from "../Sessions/password.js";
import { age, api, confirm, copyButton, during, facts, errorPanel, field, fill, follow, formIdempotencyKeys, h, HubError, icon, keyed, formError, newKey, number, pageHead, errorSummary, setText, refresh, section, segments, sending, session, shortMoment, skeleton, stepper, badge as word, text, timeElement, toggle, loadError } from "../Shell/ui.js";
import { buttons, canWrite, configuredAt, vibrate, isPending, isUnconfirmed, nameOf, outcome, riskOf, tags, whatItDoes, errorText } from "./buttonModel.js";
import { removeTag, renewTag } from "./tags.js";
import { buttons as words, tags as tagWords, tap as tapWords, trigger as triggerWords } from "./words.js";

export async function open({ params, until, say, alarm, go }) {
  // The names and actions of devices; followed for the words of the action.
  until(follow("devices", () => {}, () => {}));
  const path = params[0] ? `/buttons/${encodeURIComponent(params[0])}` : null;
  const [{ devices }, button] = await Promise.all([api("GET", "/devices"), path && api("GET", path)]);
  const node = h("div.narrow.button-page");
  const draw = (shown) => fill(node, page(shown));
  draw(button);
  return { title: button ? button.title : words.newTitle, node };

  function page(shown) {
    if (!session.can("modify_settings")) return reading(shown, { until, say, alarm });
    let current = shown;
    const body = editor({ devices, button: shown, say, alarm, kept, theirs: draw });
    const wrong = h("div");
    const head = pageHead(shown ? shown.title : words.newTitle, { back: "/buttons", actions: shown && [h("button.button.plain.danger", { onclick: remove }, words.remove)] });
    const below = shown ? [trigger(shown, { until, say, alarm }), keys(() => current, { say, alarm })] : [section(triggerWords.title, {}, h("p.third", triggerWords.first))];
    return [head, wrong, body, ...below];

    /** Called after saving: a new button gets its own page. */
    function kept(news) {
      refresh(buttons);
      say(current ? words.saved(news.title) : words.added(news.title));
      if (!current) return go(`/buttons/${encodeURIComponent(news.button_id)}`, { replace: true });
      current = news;
      setText(head.querySelector("h1"), news.title);
      for (const one of below) if (one.renew) one.renew(news);
    }

    async function remove() {
      fill(wrong);
      if (!(await confirm({ title: words.removeTitle(current.title), body: words.removeBody, verb: words.removeVerb }))) return;
      try {
        await api("DELETE", path, { key: newKey(), headers: { "If-Match": `"${current.version}"` } });
        say(words.removed(current.title));
        refresh(buttons);
        go("/buttons", { replace: true });
      } catch (error) {
        alarm(errorText(error));
        fill(wrong, errorPanel(error, remove));
      }
    }
  }
}

/** The form, or its values as text for people who may not change them. */
function editor({ devices, button, alarm, kept, theirs }) {
  let current = button, delay = button ? button.countdown : 0;
  const list = errorSummary(), said = h("div.form-said", { role: "alert" }), done = h("div");
  const name = field(words.name, { name: "button-title", autocomplete: "off", maxlength: "100", value: button ? button.title : "" }, { help: words.nameHelp });
  const action = actionFields(devices, button, () => done.replaceChildren());
  const enabled = toggle(words.enabled, { help: words.enabledHelp, on: button ? button.enabled : true, sends: true });
  const tagged = toggle(words.tagsEnabled, { help: words.tagsEnabledHelp, on: button ? button.tags_enabled : true, sends: true });
  const countdown = stepper(words.countdown, { value: delay, max: 30, words: (n) => (n ? words.seconds(n) : words.none0), change: (n) => (delay = n), describe: "countdown-help" });
  const save = h("button.button.filled", { type: "submit" }, button ? words.save : words.add1);
  const clash = h("div");
  const keyOf = formIdempotencyKeys();
  return sending(save, () => send(current && current.version), list.node, said, clash, name.node, action.node,
  h("div", enabled.node, tagged.node,
    h("div.switch-row", h("span.switch-words", h("strong", words.countdown), h("span.small.third", { id: "countdown-help" }, words.countdownHelp)), countdown.node)),
  done, h("div.row-buttons", save, h("a.button.outlined", { href: "/buttons" }, text.cancel)));

  function send(version) {
    if (save.getAttribute("aria-disabled") === "true") return;
    fill(said);
    fill(clash);
    fill(done);
    const found = [];
    const check = (one, message) => {
      one.error(message);
      if (message) found.push([message, one.input]);
    };
    check(name, name.value.trim() ? null : words.nameMissing);
    action.check(check);
    list.show(found);
    if (found.length) return;
    const body = { title: name.value.trim(), ...action.value(), enabled: enabled.input.checked, tags_enabled: tagged.input.checked, countdown: delay };
    // Sent again after a lost connection, it makes one button.
    const key = keyOf(body);
    during(save, text.saving, async () => {
      current = current
        ? await api("PUT", `/buttons/${encodeURIComponent(current.button_id)}`, { body, headers: { "If-Match": `"${version}"` } })
        : await api("POST", "/buttons", { body, key });
      if (button) fill(done, outcome(true, words.saved(current.title)));
      kept(current);
    }, (error) => {
      if (error.status === 412 && error.details.current) return conflict(error.details.current, error.details.changed_by);
      // The hub names the field and words the error.
      const at = String((error.details || {}).field || ""), wrong = at === "title" ? name : action.fields[at.replace(/^publish\./, "")];
      if (wrong) {
        wrong.error(errorText(error));
        list.show([[errorText(error), wrong.input]]);
      } else fill(said, formError(error, errorText(error)));
      alarm(errorText(error));
    });
  }

  /** Shows the changes of others; typed values stay until the person chooses. */
  function conflict(other, who) {
    const mine = h("button.button.tonal", { onclick: () => send(other.version) }, words.keepMine);
    fill(clash, h("div.panel.padded.clash", { role: "alert" }, h("p", h("strong", words.conflict(current.title, who))), h("p.small.third", words.now(`${other.title}, ${whatItDoes(other)}`)),
      h("div.row-buttons", mine, h("button.button.outlined", { onclick: () => theirs(other) }, words.keepTheirs))));
    alarm(words.conflict(current.title, who));
    mine.focus();
  }
}

/** Voiding links, and the signing key for firmware. */
function keys(now, { say, alarm }) {
  const said = h("div"), wrong = h("div");
  const node = h("div");
  node.renew = show;
  show(now());
  return node;

  function show(button) {
    const signs = button.publish && button.publish.signed;
    fill(node, section(words.keys, {}, h("div.panel", h("ul.rows",
      row(words.regenerate, words.regenerateHelp, words.regenerateVerb, regenerate),
      signs && row(words.signing, words.signingHelp, words.signingVerb, sign))), said, wrong));
  }

  function row(word, help, verb, run) {
    const button = h("button.button.outlined", { onclick: () => attempt(button, run) }, verb);
    return h("li.row-below", h("span.row-words", h("strong", word), h("span.small.third", help)), button);
  }

  async function attempt(button, run) {
    fill(said);
    fill(wrong);
    try {
      await run(`/buttons/${encodeURIComponent(now().button_id)}`);
    } catch (error) {
      alarm(errorText(error));
      fill(wrong, errorPanel(error, () => attempt(button, run)));
    }
  }

  async function regenerate(path) {
    if (!(await confirm({ title: words.regenerateTitle, body: words.regenerateBody, verb: words.regenerateVerb }))) return;
    await api("POST", `${path}/regenerate`, { key: newKey() });
    fill(said, outcome(true, words.regenerated));
    say(words.regenerated);
  }

  async function sign(path) {
    if (!(await confirm({ title: words.signingTitle, body: words.signingBody, verb: words.signingVerb, danger: false }))) return;
    const { key, device } = await api("POST", `${path}/signing-key`);
    const close = h("button.button.outlined", { onclick: () => fill(said) }, words.done1);
    const head = h("p", { tabindex: "-1" }, h("strong", words.signingOnce));
    fill(said, h("div.panel.padded.once", head, facts([[words.signing, h("span.mono.fingerprint", key)], [words.signingDevice, device]]), h("div.row-buttons", copyButton(words.copyKey, () => key, "tonal"), close)));
    head.focus();
    say(words.signingOnce);
  }
}

/** As text, not as disabled fields. */
function reading(button, { until, say, alarm }) {
  const about = h("div.panel.padded");
  const show = () => fill(about, facts([
    [words.facts.does, whatItDoes(button)], [words.facts.enabled, button.enabled ? words.on : words.off], [words.facts.tags, button.tags_enabled ? words.yes : words.no],
    [words.facts.countdown, button.countdown ? words.seconds(button.countdown) : null],
  ]));
  show();
  until(follow("devices", show));
  return [pageHead(button.title, { back: "/buttons" }), about, trigger(button, { until, say, alarm })];
}

/** "NFC Tag Trigger": the tags that press this button, adding, removing, and a test without a tag. */
function trigger(first, { until, say, alarm }) {
  let button = first, mine = null, left = false;
  const owner = session.can("modify_settings");
  const status = h("span"), about = h("div"), list = h("ul.rows"), board = h("div", skeleton(1)), place = h("div"), said = h("div"), came = h("div");
  const begin = h("button.button.tonal", { onclick: open }, icon("nfc", "i18"), h("span", canWrite() ? triggerWords.write : triggerWords.add));
  const test = h("button.button.outlined", { onclick: () => tryOut() }, triggerWords.test);
  const node = section(triggerWords.title, { aside: status, className: "trigger" }, h("p.third.session-lead", triggerWords.lead), board, said, place, h("div.row-buttons", owner && begin, test), h("p.small.third", triggerWords.testHelp), came);
  until(() => (left = true));
  until(follow(tags, (all) => {
    // A tag being written is shown where it is written, and expires by itself.
    mine = all.filter((one) => one.button_id === button.button_id && !isPending(one));
    paint();
  }, (error) => mine || fill(board, loadError(tags, error, tagWords.failed))));
  node.renew = (news) => (button = news);
  return node;

  function paint() {
    const is = mine.length > 0;
    if (status.dataset.is !== String(is)) {
      status.dataset.is = is;
      fill(status, word(is ? triggerWords.is : triggerWords.not, is ? "accent" : "quiet"));
    }
    const last = is && Math.max(...mine.map(configuredAt));
    if (about.dataset.of !== `${last} ${mine.length}`) {
      about.dataset.of = `${last} ${mine.length}`;
      fill(about, is && facts([[triggerWords.last, timeElement(last, shortMoment)], [triggerWords.tags, triggerWords.of(mine.length)]]));
    }
    if (!mine.length) return fill(board);
    if (!list.isConnected) fill(board, about, h("div.panel", list));
    keyed(list, mine, (one) => one.tag_id, row, (item, one) => item.show(one));
  }

  function row() {
    const item = h("li.row-below");
    item.show = (one) => {
      const signature = JSON.stringify(one);
      if (item.dataset.shown === signature) return;
      const hadFocus = item.contains(document.activeElement);
      item.dataset.shown = signature;
      const kind = tagWords.kinds[one.kind];
      const renew = owner && one.outdated && h("button.button.tonal", { onclick: () => renewTag(one, renew, { say, failed: wrong }) }, named(tagWords.renew, one));
      fill(item, icon("nfc", "i22"), h("span.row-words", h("a.row-link", { href: `/tags/${encodeURIComponent(one.tag_id)}` }, nameOf(one)),
        h("span.small.third", kind.name, " · ", one.last_used_at ? [`${tagWords.used} `, timeElement(Date.parse(one.last_used_at), age)] : tagWords.unused)),
      one.alarmed_at && word(tagWords.alarmed, "danger"),
      owner && h("span.row-do", renew, h("button.button.plain.danger", { onclick: () => removeTag(one, { say, failed: wrong, removed: () => begin.focus() }) }, named(tagWords.remove, one))));
      if (hadFocus) item.querySelector("a").focus();
    };
    return item;
  }

  function wrong(error) {
    alarm(errorText(error));
    fill(said, outcome(false, errorText(error)));
  }

  /** Loaded on request: few visitors of this page write a tag. */
  async function open() {
    fill(said);
    let form;
    try {
      form = await import("./newTag.js");
    } catch {
      return wrong(new HubError({ offline: true }));
    }
    begin.hidden = true;
    fill(place, form.newTag(button, mine || [], { until, say, alarm, done: close, written }));
    place.querySelector("input:checked").focus();
  }

  function close(focus) {
    fill(place);
    begin.hidden = false;
    if (focus) begin.focus();
  }

  function written(one) {
    close(true);
    fill(said, outcome(true, triggerWords.ready(nameOf(one))));
    say(triggerWords.ready(nameOf(one)));
    refresh(tags);
  }

  /** Makes a live link and taps it as the person who is signed in: the whole path of a tag except the touch. */
  async function tryOut() {
    if (riskOf(button) === "open" && !(await confirm({ title: triggerWords.testTitle(button.title), body: triggerWords.testBody(whatItDoes(button)), verb: triggerWords.testVerb, danger: false }))) return;
    fill(came);
    await during(test, triggerWords.testing, async () => {
      const { url } = await api("POST", "/tags", { body: { kind: "live", button_id: button.button_id }, key: newKey() });
      const answer = await api("POST", "/tags/tap", { body: { url, confirm: true }, key: newKey() });
      if (left) return;
      const title = answer.action ? answer.action.title : button.title;
      const quiet = isUnconfirmed(button) && answer.reason === "no_report";
      const done = answer.accepted && (quiet || !answer.message);
      const became = quiet ? tapWords.sent(title) : !done ? triggerWords.notDone(title, answer.message) : answer.outcome === "confirmed" ? tapWords.done(title) : answer.outcome === "accepted" ? tapWords.asks : tapWords.underWay(title);
      vibrate(done);
      fill(came, outcome(done, became, " ", h("span.small", triggerWords.tested)));
      refresh(tags);
    }, (error) => {
      if (!(error instanceof HubError)) throw error;
      vibrate(false);
      alarm(errorText(error));
      fill(came, h("div.panel.padded", errorPanel(error, tryOut)));
    });
  }
}

/** The word of a button, and for screen readers the row it belongs to. */
const named = (verb, one) => [verb, h("span.vh", ` ${nameOf(one)}`)];

// The fields of a button's action: a command to a device, or a message to a broker.

const RANGES = { set_temperature: [-30, 100], set_position: [0, 100], set_tilt: [0, 100], set_brightness: [0, 100], set_percentage: [0, 100], set_volume: [0, 100] };
const doings = (entity) => entity.actions.filter(({ action }) => action !== "read" && action !== "oscillate");
const option = (value, word) => h("option", { value }, word);

/** `{ node, check(check), value(), risk, fields }` of the chosen kind; `changed()` is called at every choice. */
function actionFields(devices, button, changed) {
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
  // A button that sends a message is a device too; buttons that press buttons are not offered.
  const able = devices.filter((device) => device.integration !== "buttons").map((device) => ({ ...device, entities: device.entities.filter((entity) => entity.is_enabled && doings(entity).length) })).filter((device) => device.entities.length);
  const device = field(words.device, { name: "button-device", onchange: chooseDevice }, { tag: "select" });
  const entity = field(words.entity, { name: "button-entity", onchange: chooseEntity }, { tag: "select" });
  const verb = field(words.verb, { name: "button-verb", onchange: chooseVerb }, { tag: "select" });
  const value = field("", { name: "button-value", inputmode: "decimal", autocomplete: "off" });
  const shade = field(words.colour, { name: "button-colour" }, { tag: "select" });
  const mode = field(text.tile.lists.set_mode, { name: "button-mode" }, { tag: "select" });
  const node = h("div.stack");
  let mine = null;
  const rooms = [...new Set(able.map((one) => one.room || ""))];
  const chosen = () => able.find((one) => one.device_id === device.value);
  const picks = () => part() && choicesOf(part(), verb.value);
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
  if (action && picks()) mode.input.value = action.value;

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

  /** Fields that do not apply are not on the page. */
  function chooseVerb() {
    const one = chosen(), range = RANGES[verb.value];
    const shown = [device, one && one.entities.length > 1 && entity, one && verb, one && range && value, one && verb.value === "set_color" && shade, picks() && mode].filter(Boolean);
    if (shown.includes(mode)) fill(mode.input, picks().map(([name, word]) => option(name, word)));
    node.replaceChildren(...shown.map((each) => each.node), ...(one && risk() === "open" ? [h("p.small.press-note", icon("door-open", "i18"), h("span", words.opens))] : able.length ? [] : [h("p.small.third", words.noDevices)]));
    value.node.firstChild.textContent = words.value(number.unit(unit()));
    value.error(null);
    changed();
  }

  /** The unit of a value, and a value in the person's unit, rounded to a hundredth. */
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
      // A removed device stays selected until another is chosen.
      if (!one) return { ...action };
      // Renaming keeps the action, even if this form does not offer it: another action would outdate the tags.
      const same = action && action.device_id === device.value && action.action === verb.value && part() === mine;
      const body = same ? { ...action } : { device_id: device.value, action: verb.value };
      if (!same && one.entities.length > 1) body.entity_id = part().entity_id;
      if (RANGES[verb.value]) body.value = written();
      if (picks()) body.value = mode.value;
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
