// The integrations: connected or not, since when, why, and what could not be understood.

import { api, attempt, liveSection, button, buttons, confirm, copyButton, runAction, during, empty, errorPanel, field, fill, follow, form, h, icon, known, formError, newKey, topicError, pageHead, errorSummary, read, refresh, requireValue, row, rows, section, sending, session, sheet, since, skeleton, small, source, badge, text, toggle, topic, loadError, when } from "../Shell/ui.js";
import { passwordField } from "../Sessions/password.js";
import { hooks } from "./words.js";

const words = text.settings;
const TONES = { connected: "accent", connecting: "info", failed: "danger", off: "quiet" };

/** The integrations that can be set up here, besides the built-in ones. */
const FORMS = { mqtt: mqttForm, "home-assistant": homeAssistantForm, endpoint: endpointForm };

export async function open({ until, query, say, alarm }) {
  const list = h("div.stack", skeleton(3));
  const editor = h("div");
  const around = h("div", skeleton(1)), cameIn = h("div");
  let all = [], drawn = "", drawnAround = "", asked = query.get("test");
  /** The result of a connection test, with the status at that time: a later status replaces it. */
  const tried = {};
  function draw() {
    const off = Object.keys(FORMS).filter((name) => !all.some((one) => one.integration === name)).map((integration) => ({ integration, status: "off", devices: 0, notices: [] }));
    const shown = [...all, ...off];
    const signature = JSON.stringify([shown, tried]);
    if (signature === drawn) return;
    drawn = signature;
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.do : null;
    fill(list, shown.map(card));
    const again = focused && list.querySelector(`[data-do="${focused}"]`);
    if (again) again.focus();
  }
  until(follow("integrations", (news) => {
    all = news;
    draw();
    cameIn.hidden = !session.can("modify_settings") || !all.some((one) => one.integration === "mqtt");
    if (!cameIn.hidden && !cameIn.firstChild) fill(cameIn, section(words.cameIn.title, {}, liveSection(until, source("/integrations/mqtt", /^(status_update|device_removed)$/), paintCameIn)));
    if (heard(asked).settings) test(asked);
    // A test requested by the address runs once, not at each return to the page.
    if (asked) history.replaceState(null, "", location.pathname);
    asked = null;
  }, (error) => !drawn && fill(list, topicError("integrations", error))));

  // Devices nearby come and go without an event.
  const nearby = topic("/integrations/nearby", 5000, (body) => body, () => false, () => 5000);
  until(follow(nearby, (seen) => {
    const signature = JSON.stringify(seen);
    if (signature === drawnAround) return;
    drawnAround = signature;
    const focused = around.contains(document.activeElement) ? document.activeElement.dataset.url : null;
    fill(around, found(seen));
    const again = focused && [...around.querySelectorAll("button")].find((button) => button.dataset.url === focused);
    if (again) again.focus();
  }, (error) => !drawnAround && fill(around, error.status === 403 ? null : loadError(nearby, error, words.nearby.failed))));

  function found(seen) {
    const w = words.nearby;
    if (seen.status !== "looking") return h("div.panel", empty(w[seen.status] || w.off, w[`${seen.status}Do`]));
    if (!seen.found.length) return h("div.panel", empty(w.none, w.noneDo));
    return [h("p.small.third", w.lead), h("div.panel", h("ul.rows", seen.found.map(neighbour))), seen.more && h("p.small.third", w.more)];
  }

  function neighbour(one) {
    const w = words.nearby;
    const paired = one.kind !== "homekit" || one.is_paired === undefined ? null : one.is_paired ? w.paired : w.unpaired;
    const what = [w.kinds[one.kind] || one.kind, one.category, one.model, one.version, paired].filter(Boolean).join(" · ");
    return h("li", h("span.row-words", h("strong", one.name), h("span.small.third", what), h("span.small.third.mono", one.url || `${one.host}:${one.port}`),
      one.advice === "through_home_assistant" && h("span.small.third", w.through)),
    one.advice === "connected" && badge(w.connected, "accent"),
    one.advice === "connect" && one.url && h("button.button.outlined", { "data-url": one.url, onclick: () => edit({ integration: "home-assistant", settings: { ...heard("home-assistant").settings, url: one.url } }) }, w.connect, h("span.vh", w.connectName(one.name))));
  }

  function card(one) {
    const { integration, settings = {} } = one, { said, stood = one.status } = tried[integration] || {};
    const name = words.names[integration] || integration;
    const off = one.status === "off";
    return h("article.panel.padded",
      h("div.section-head", h("h2", name), badge(words.health[one.status] || one.status, TONES[one.status] || "quiet")),
      h("p.small.third", off && FORMS[integration] ? words[integration].lead : [words.devices(one.devices || 0), one.since && since(read(one.since)), settings.host || settings.url].filter(Boolean).join(" · ")),
      one.reason && h("p.integration-why", icon("alert", "i18"), one.reason),
      stood === one.status && said && h("p.small.integration-tried", said),
      (one.notices || []).length ? h("details.fold", h("summary", `${words.notices} (${one.notices.length})`), h("ul.notices", one.notices.map((n) => h("li.small", n.entity_id && h("span.mono", n.entity_id), " ", n.message)))) : null,
      FORMS[integration] && h("div.row-buttons", h("button.button.tonal", { "data-do": `edit-${integration}`, onclick: () => edit(one) }, off ? words.setUp : words.change, h("span.vh", ` ${name}`)),
        one.settings && h("button.button.outlined", { "data-do": `test-${integration}`, "aria-disabled": said === words.testing && "true", onclick: () => test(integration) }, words.try, h("span.vh", ` ${name}`)),
        !off && h("button.button.plain.danger", { onclick: () => remove(integration, name) }, words.remove, h("span.vh", ` ${name}`))));
  }

  /** Tests the connection as it is set up, and shows the result on its card. */
  async function test(integration) {
    const tell = (said, stood) => {
      tried[integration] = { said, stood };
      draw();
    };
    if ((tried[integration] || {}).said === words.testing) return;
    tell(words.testing);
    try {
      await api("POST", `/integrations/${integration}/test`);
      const { said, stood } = cameOf(await settle(integration));
      tell(said, stood);
      (stood === "connected" ? say : alarm)(said);
    } catch (error) {
      tell(text.error(error), heard(integration).status);
      alarm(text.error(error));
    }
  }

  function edit({ integration, settings }) {
    // A test that ends late closes its own form, not one opened since.
    const done = () => {
      if (!form.isConnected) return;
      fill(editor);
      const opener = list.querySelector(`[data-do="edit-${integration}"]`);
      if (opener) opener.focus();
    };
    const form = section(words[integration].title, {}, FORMS[integration](settings || {}, { say, alarm, done, tried }));
    fill(editor, form);
    editor.querySelector("input").focus();
  }

  async function remove(integration, name) {
    if (!(await confirm({ title: words.removeTitle(name), body: words.removeBody, verb: words.removeVerb(name) }))) return;
    fill(editor);
    delete tried[integration];
    try {
      await api("DELETE", `/integrations/${integration}`, { key: newKey() });
      await refresh("integrations", "devices");
      say(words.removed(name));
    } catch (error) {
      fill(editor, errorPanel(error, () => remove(integration, name)));
    }
  }

  return { title: words.integrations, node: h("div.list-page", pageHead(words.integrations, { back: "/settings", actions: session.can("add_devices") && h("a.button.outlined", { href: "/house" }, words.tell) }), list, editor, cameIn, session.can("modify_settings") && webhooks(until), section(words.nearby.title, {}, around)) };
}

/** The webhooks: URLs to which doorbells and cameras report. */
function webhooks(until) {
  const all = source("/webhooks", /^$/), wrong = h("div");
  const list = liveSection(until, all, ({ webhooks, is_plain: plain }, node) => fill(node, h("div.stack", !plain && h("p.small.third", hooks.secure),
    webhooks.length ? rows(webhooks.map((one) => row(one.name, null, [hooks.makes[one.make] || one.make, " · ", one.last_used_at ? [hooks.used, when(one.last_used_at)] : hooks.unused], button("plain.danger", hooks.revoke, () => revoke(one), h("span.vh", ` ${one.name}`))))) : h("div.panel", empty(hooks.none, hooks.noneDo)))));

  async function revoke(one) {
    if (await confirm({ title: hooks.revokeTitle(one.name), body: hooks.revokeBody, verb: hooks.revokeVerb })) await runAction(wrong, (key) => api("DELETE", `/webhooks/${encodeURIComponent(one.webhook_id)}`, { key }), hooks.revoked(one.name), () => revoke(one), all);
  }

  const choice = (label, options) => {
    const one = field(label, {}, { tag: "select" });
    one.input.append(...Object.entries(options).map(([value, word]) => h("option", { value }, word)));
    return one;
  };

  /** The URL is shown once and not stored in this browser. */
  const add = () => sheet(hooks.add, (close) => {
    const name = field(hooks.name, { autocomplete: "off", maxlength: "100" }), make = choice(hooks.make, hooks.makes), type = choice(hooks.type, hooks.types), said = h("div"), place = h("div.stack");
    fill(place, form(close, hooks.add, { nodes: [name.node, make.node, type.node, said], value: () => requireValue(name, hooks.nameMissing) && { name: name.value.trim(), make: make.value, type: type.value } }, (save, body) => attempt(save, said, async () => {
      const { url } = await api("POST", "/webhooks", { body });
      refresh(all);
      fill(place, h("p", hooks.once), h("p.link-text.mono", url), h("p.small.third", hooks.enter[body.make] && [hooks.under, hooks.enter[body.make], " "], hooks.more), buttons(copyButton(hooks.copy, () => url, "filled"), button("outlined", text.close, () => close(""))));
    })));
    return place;
  });

  return section(hooks.title, {}, list, wrong, buttons(button("tonal", hooks.add, add)));
}

/** MQTT announcements: those not understood, with the reason, and those of each device. */
function paintCameIn({ announced = [], not_understood: left = [], has_more_not_understood: more }, node) {
  const w = words.cameIn, was = new Map([...node.querySelectorAll("details")].map((one) => [one.dataset.of, one.open]));
  const fold = (of, title, open, ...inside) => h("details.fold", { "data-of": of, open: was.get(of) ?? open }, h("summary", title), inside);
  const show = (topic) => button("plain", w.show, () => announcement(topic), h("span.vh", ` ${topic}`));
  fill(node,
    left.length ? fold("-", w.left(left.length), left.length < 10, rows(left.map(({ topic, component, reason, device }) => row(device || topic, null, `${component}: ${reason}`, show(topic))))) : h("p.third", w.allIn),
    more && h("p.small.third", words.nearby.more),
    announced.length > 0 && fold("+", w.devices(announced.length), announced.length < 10, announced.map(({ device_id: id, name, entities }) => fold(id, `${name} (${entities.length})`, false, rows(entities.map(({ entity_id: entity, component, topic }) => row(entity, null, component, show(topic))))))));
}

/** An announcement as received, for a bug report. */
const announcement = (topic) => sheet(words.cameIn.announcement, (close) => {
  const place = h("div", skeleton(2)), said = h("p.link-text.mono"), copy = copyButton(words.cameIn.copy, () => said.textContent, "filled");
  copy.hidden = true;
  api("GET", `/integrations/mqtt/announcement?topic=${encodeURIComponent(topic)}`).then(({ announcement }) => {
    fill(said, announcement);
    fill(place, small(words.cameIn.masked), said);
    copy.hidden = false;
  }).catch((error) => fill(place, h("div.form-said", { role: "alert" }, formError(error))));
  return [h("p.mono.small", topic), place, buttons(copy, button("outlined", text.close, () => close("")))];
});

const plainField = (settings, label, name, more = {}, help) => field(label, { name, value: settings[name] ?? "", autocomplete: "off", autocapitalize: "none", spellcheck: "false", ...more }, { help });
const pemField = (settings, label, name, help) => field(label, { name, rows: 4, autocomplete: "off", spellcheck: "false", autocapitalize: "none", value: settings[name] ?? "" }, { help, tag: "textarea" });
const isPem = (f) => !f.value.trim() || f.value.includes("-----BEGIN");

/**
 * A form that saves and then shows the connection. `checks()` lists `[field, ok, message]`, `body()` is sent,
 * `fields` are the inputs that an error may name.
 */
function savingForm(integration, { say, alarm, done, tried }, { checks, body, fields = {} }, ...children) {
  const w = words[integration];
  const wrong = errorSummary();
  const said = h("div.form-said", { role: "alert" });
  const button = h("button.button.filled", { type: "submit" }, words.test);
  return sending(button, () => {
    const list = [];
    for (const [f, ok, message] of checks()) {
      f.error(ok ? null : message);
      if (!ok) list.push([message, f.input]);
    }
    wrong.show(list);
    fill(said);
    if (list.length) return;
    during(button, words.testing, async () => {
      await api("PUT", `/integrations/${integration}`, { body: body(), key: newKey() });
      delete tried[integration];
      const result = cameOf(await settle(integration));
      if (result.stood === "connected") {
        say(result.said);
        refresh("devices");
        return done();
      }
      fill(said, icon("alert", "i18"), h("p", result.said));
      alarm(result.said);
    }, (error) => {
      const pointed = (error.details || {}).field && fields[error.details.field];
      if (pointed) {
        pointed[0].error(pointed[1] || error.message);
        return pointed[0].input.focus();
      }
      fill(said, formError(error));
    });
  }, wrong.node, said, h("p.third", w.lead), children,
  h("div.row-buttons", button, h("button.button.outlined", { onclick: done }, text.cancel)));
}

function homeAssistantForm(settings, hears) {
  const w = words["home-assistant"];
  const url = plainField(settings, w.url, "url", { inputmode: "url", placeholder: "http://homeassistant.local:8123" }, w.urlHelp);
  const token = passwordField(w.token, { help: settings.has_token ? words.mqtt.passwordHelp : w.tokenHelp, name: "home-assistant-token" });
  token.input.autocomplete = "off";
  const ca = pemField({}, w.ca, "ca_pem", settings.has_ca ? words.endpoint.keep : w.caHelp);
  return savingForm("home-assistant", hears, {
    checks: () => [[url, /^(https?|wss?):\/\/[^\s/]+\/?$/i.test(url.value.trim()), w.urlWrong], [token, token.value.trim() || settings.has_token, w.tokenMissing], [ca, isPem(ca), words.pem]],
    body: () => ({ url: url.value.trim().replace(/\/$/, ""), ...(token.value.trim() && { token: token.value.trim() }), ...(ca.value.trim() && { ca_pem: `${ca.value.trim()}\n` }) }),
    fields: { url: [url, w.urlWrong], token: [token, w.tokenMissing], ca_pem: [ca, w.caWrong] },
  }, url.node, token.node, h("details.fold", { open: Boolean(settings.has_ca) }, h("summary", words.more), h("div.form", ca.node)));
}

function mqttForm(settings, hears) {
  const w = words.mqtt;
  const plain = (...all) => plainField(settings, ...all);
  const host = plain(w.host, "host", {}, w.hostHelp);
  const port = plain(w.port, "port", { inputmode: "numeric", value: settings.port ?? 1883 });
  const tls = toggle(w.tls, { help: w.tlsHelp, on: Boolean(settings.tls), sends: true, change: (on) => {
    if (on && port.value === "1883") port.input.value = "8883";
    if (!on && port.value === "8883") port.input.value = "1883";
  } });
  const username = plain(w.username, "username");
  const password = passwordField(w.password, { help: settings.host ? w.passwordHelp : null, name: "broker-password" });
  password.input.autocomplete = "off";
  const pem = (...all) => pemField(settings, ...all);
  const ca = pem(w.ca, "ca_pem", w.caHelp), cert = pem(w.cert, "cert_pem"), key = pem(w.key, "key_pem", w.keyHelp);
  const send = (label, on, help) => toggle(label, { help, on, sends: true });
  const told = { announce_locks: send(w.announce, Boolean(settings.announce_locks), w.announceHelp), allow_lock: send(w.mayLock, settings.allow_lock !== false), allow_open: send(w.mayOpen, Boolean(settings.allow_open), w.mayOpenHelp), announce_last_visitor: send(w.visitor, Boolean(settings.announce_last_visitor), w.visitorHelp) };
  const clientId = plain(w.clientId, "client_id"), prefix = plain(w.prefix, "discovery_prefix", { placeholder: "homeassistant" });
  const frigate = plain(w.frigate, "frigate_prefix", {}, w.frigateHelp);
  /** The codes of locks and alarm panels; known once the devices are loaded. */
  const codes = {}, codeFields = h("div.form"), codePart = h("details.fold", { hidden: true }, h("summary", w.codes), h("p.small.third", w.codesHelp), codeFields);
  refresh("devices").catch(() => {}).then(() => {
    const kept = settings.codes || [], names = new Map(kept.map((id) => [id, id]));
    for (const { integration, name, entities } of known("devices") || []) {
      for (const { entity_id: id, attributes } of entities) if (names.has(id) || (integration === "mqtt" && (attributes.code_format || attributes.code_required))) names.set(id, `${name}: ${id}`);
    }
    for (const [id, label] of names) {
      codes[id] = passwordField(label, { help: kept.includes(id) && w.passwordHelp, name: `code-${id}` });
      codes[id].input.autocomplete = "off";
      codeFields.append(codes[id].node);
    }
    codePart.hidden = !names.size;
  });
  return savingForm("mqtt", hears, {
    checks: () => [[host, host.value.trim(), w.hostMissing], [port, /^\d+$/.test(port.value) && port.value >= 1 && port.value <= 65535, w.portWrong], ...[ca, cert, key].map((f) => [f, isPem(f), words.pem])],
    body() {
      const body = { host: host.value.trim(), port: Number(port.value), tls: tls.input.checked };
      for (const [name, t] of Object.entries(told)) body[name] = t.input.checked;
      for (const [id, { value }] of Object.entries(codes)) if (value.trim()) (body.codes ||= {})[id] = value.trim();
      for (const [name, f] of Object.entries({ username, password, ca_pem: ca, cert_pem: cert, key_pem: key, client_id: clientId, discovery_prefix: prefix, frigate_prefix: frigate })) {
        if (f.value.trim()) body[name] = name.endsWith("_pem") ? `${f.value.trim()}\n` : f.value.trim();
      }
      return body;
    },
  }, h("div.host-port", host.node, port.node), tls.node, username.node, password.node,
  h("details.fold", { open: Boolean(settings.announce_locks) }, h("summary", w.outward), h("div.form", Object.values(told).map((t) => t.node))),
  codePart,
  h("details.fold", { open: Boolean(settings.frigate_prefix) }, h("summary", w.seen), h("div.form", frigate.node)),
  h("details.fold", { open: Boolean(settings.ca_pem || settings.cert_pem) }, h("summary", words.more), h("div.form", ca.node, cert.node, key.node, clientId.node, prefix.node)));
}

/** A broker for buttons only: always over TLS, with a client certificate of the house. */
function endpointForm(settings, hears) {
  const w = words.endpoint, { host: hostWord, hostHelp, port: portWord, cert: certWord, key: keyWord, keyHelp, ca: caWord, caHelp, clientId: clientWord, hostMissing, portWrong } = words.mqtt;
  const keep = settings.has_client_certificate && w.keep;
  const host = plainField(settings, hostWord, "host", {}, hostHelp), clientId = plainField(settings, clientWord, "client_id");
  const port = plainField(settings, portWord, "port", { inputmode: "numeric", value: settings.port ?? 8883 });
  const cert = pemField({}, certWord, "cert_pem", keep), key = pemField({}, keyWord, "key_pem", keep || keyHelp), ca = pemField({}, caWord, "ca_pem", settings.has_ca ? w.keep : caHelp);
  return savingForm("endpoint", hears, {
    checks: () => [[host, host.value.trim(), hostMissing], [port, /^\d+$/.test(port.value) && port.value >= 1 && port.value <= 65535, portWrong],
      [cert, isPem(cert) && (keep || cert.value.trim()), cert.value.trim() ? words.pem : w.certMissing], [key, isPem(key) && (keep || key.value.trim()), key.value.trim() ? words.pem : w.keyMissing], [ca, isPem(ca), words.pem]],
    body() {
      const body = { host: host.value.trim(), port: Number(port.value) };
      for (const [name, f] of Object.entries({ client_id: clientId, cert_pem: cert, key_pem: key, ca_pem: ca })) if (f.value.trim()) body[name] = name.endsWith("_pem") ? `${f.value.trim()}\n` : f.value.trim();
      return body;
    },
    fields: { host: [host], port: [port], cert_pem: [cert], key_pem: [key], ca_pem: [ca], client_id: [clientId] },
  }, h("div.host-port", host.node, port.node), cert.node, key.node, h("details.fold", { open: Boolean(settings.has_ca) }, h("summary", words.more), h("div.form", ca.node, clientId.node)));
}

/** The last known status of an integration. */
const heard = (integration) => (known("integrations") || []).find((one) => one.integration === integration) || {};

/** The message about it, and its status. */
const cameOf = ({ status: stood, reason, devices }) => ({ stood, said: stood === "connected" ? words.ok(devices) : stood === "failed" ? words.bad(reason || words.health.failed) : words.slow });

/** Polls the status of a connection until it is decided, at most twelve seconds. */
async function settle(integration) {
  for (let round = 0; round < 12; round += 1) {
    await refresh("integrations");
    const now = heard(integration);
    if (now.status === "connected" || (now.status === "failed" && round > 1)) return now;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return heard(integration);
}
