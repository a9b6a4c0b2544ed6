// Where the devices come from, and how that is: connected or not, since when, why, and what could not be understood.

import { api, newKey } from "../Shell/api.js";
import { confirm } from "../Shell/dialog.js";
import { fill, h, icon } from "../Shell/h.js";
import { follow, known, refresh } from "../Shell/live.js";
import { during, failed, field, folded, notHeard, pageHead, problems, section, skeleton, tag, toggle } from "../Shell/parts.js";
import { text } from "../Shell/text.js";
import { since } from "../Shell/ages.js";
import { read } from "../Shell/time.js";
import { passwordField } from "../Sessions/password.js";

const words = text.settings;
const TONES = { connected: "accent", connecting: "info", failed: "danger", off: "quiet" };

export async function open({ until, say, alarm }) {
  const list = h("div.stack", skeleton(2));
  const editor = h("div");
  let drawn = "";
  until(follow("integrations", (all) => {
    const mqtt = all.find((one) => one.integration === "mqtt");
    const shown = mqtt ? all : [...all, { integration: "mqtt", status: "off", devices: 0, notices: [] }];
    const signature = JSON.stringify(shown);
    if (signature === drawn) return;
    drawn = signature;
    fill(list, shown.map(card));
  }, (error) => !drawn && fill(list, notHeard("integrations", error))));

  function card(one) {
    const name = words.names[one.integration] || one.integration;
    return h("article.panel.padded",
      h("div.section-head", h("h2", name), tag(words.health[one.status] || one.status, TONES[one.status] || "quiet")),
      one.status === "off" ? h("p.small.third", words.mqtt.lead) : h("p.small.third", [words.devices(one.devices || 0), one.since && since(read(one.since)), one.settings && one.settings.host].filter(Boolean).join(" · ")),
      one.reason && h("p.integration-why", icon("alert", "i18"), one.reason),
      (one.notices || []).length ? h("details.fold", h("summary", `${words.notices} (${one.notices.length})`), h("ul.notices", one.notices.map((n) => h("li.small", n.entity_id && h("span.mono", n.entity_id), " ", n.message)))) : null,
      one.integration === "mqtt" && h("div.row-buttons", h("button.button.tonal", { type: "button", onclick: () => edit(one) }, one.status === "off" ? words.setUp : words.change),
        one.status !== "off" && h("button.button.plain.danger", { type: "button", onclick: remove }, words.remove)));
  }

  function edit(one) {
    fill(editor, section(words.mqtt.title, {}, mqttForm(one.settings || {}, { say, alarm, done: () => fill(editor) })));
    editor.querySelector("input").focus();
  }

  async function remove() {
    if (!(await confirm({ title: words.removeTitle, body: words.removeBody, verb: words.removeVerb }))) return;
    try {
      await api("DELETE", "/integrations/mqtt", { key: newKey() });
      await refresh("integrations", "devices");
    } catch (error) {
      editor.append(failed(error, remove));
    }
  }

  return { title: words.integrations, node: h("div.list-page", pageHead(words.integrations, { back: "/settings" }), list, editor) };
}

function mqttForm(settings, { say, alarm, done }) {
  const w = words.mqtt;
  const plain = (label, name, more = {}, help) => field(label, { name, value: settings[name] ?? "", autocomplete: "off", autocapitalize: "none", spellcheck: "false", ...more }, { help });
  const host = plain(w.host, "host", {}, w.hostHelp);
  const port = plain(w.port, "port", { inputmode: "numeric", value: settings.port ?? 1883 });
  const tls = toggle(w.tls, { help: w.tlsHelp, on: Boolean(settings.tls), sends: true, change: (on) => {
    if (on && port.value === "1883") port.input.value = "8883";
    if (!on && port.value === "8883") port.input.value = "1883";
  } });
  const username = plain(w.username, "username");
  const password = passwordField(w.password, { help: settings.host ? w.passwordHelp : null, name: "broker-password" });
  password.input.autocomplete = "off";
  const pem = (label, name, help) => field(label, { name, rows: 4, autocomplete: "off", spellcheck: "false", autocapitalize: "none", value: settings[name] ?? "" }, { help, tag: "textarea" });
  const ca = pem(w.ca, "ca_pem", w.caHelp), cert = pem(w.cert, "cert_pem"), key = pem(w.key, "key_pem", w.keyHelp);
  const clientId = plain(w.clientId, "client_id"), prefix = plain(w.prefix, "discovery_prefix", { placeholder: "homeassistant" });
  const wrong = problems();
  const said = h("div.form-said", { role: "alert" });
  const button = h("button.button.filled", { type: "submit" }, w.test);
  return h("form.form", { novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    if (button.getAttribute("aria-disabled") === "true") return;
    const list = [];
    const check = (f, ok, message) => {
      f.error(ok ? null : message);
      if (!ok) list.push([message, f.input]);
    };
    check(host, host.value.trim(), w.hostMissing);
    check(port, /^\d+$/.test(port.value) && port.value >= 1 && port.value <= 65535, w.portWrong);
    for (const f of [ca, cert, key]) check(f, !f.value.trim() || f.value.includes("-----BEGIN"), w.pem);
    wrong.show(list);
    if (list.length) return;
    fill(said);
    const body = { host: host.value.trim(), port: Number(port.value), tls: tls.input.checked };
    for (const [name, f] of Object.entries({ username, password, ca_pem: ca, cert_pem: cert, key_pem: key, client_id: clientId, discovery_prefix: prefix })) {
      if (f.value.trim()) body[name] = name.endsWith("_pem") ? f.value.trim() + "\n" : f.value.trim();
    }
    during(button, w.testing, async () => {
      await api("PUT", "/integrations/mqtt", { body, key: newKey() });
      const result = await settle();
      if (result && result.status === "connected") {
        say(w.ok);
        return done();
      }
      const message = result && result.status === "failed" ? w.bad(result.reason || words.health.failed) : w.slow;
      fill(said, icon("alert", "i18"), h("p", message));
      alarm(message);
    }, (error) => fill(said, icon("alert", "i18"), h("div", h("p", text.error(error)), folded(error))));
  } }, wrong.node, said, h("p.third", w.lead), h("div.host-port", host.node, port.node), tls.node, username.node, password.node,
  h("details.fold", { open: Boolean(settings.ca_pem || settings.cert_pem) }, h("summary", w.more), h("div.form", ca.node, cert.node, key.node, clientId.node, prefix.node)),
  h("div.row-buttons", button, h("button.button.outlined", { type: "button", onclick: done }, text.cancel)));
}

/** Asks how the connection stands until it is decided, at most twelve seconds. */
async function settle() {
  const mqtt = () => (known("integrations") || []).find((one) => one.integration === "mqtt");
  for (let round = 0; round < 12; round += 1) {
    await refresh("integrations");
    const now = mqtt();
    if (now && (now.status === "connected" || (now.status === "failed" && round > 1))) return now;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return mqtt();
}
