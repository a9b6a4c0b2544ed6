// Adding a camera, and describing one anew: its name, where it is, what is looked for, and where in the picture.

import { api, during, field, fill, h, id, mistake, newKey, pageHead, problems, put, section, sending, text, toggle } from "../Shell/kit.js";
import { passwordField } from "../Sessions/password.js";
import { cameras as words } from "./words.js";
import { cameraPicture } from "./view.js";
import { zonesEditor } from "./zones.js";

export async function open({ params, until, say, go }) {
  const camera = params[0] ? await api("GET", `/cameras/${encodeURIComponent(params[0])}`) : null;
  const path = camera ? `/cameras/${encodeURIComponent(camera.camera_id)}` : "/cameras";
  const said = h("div.form-said", { role: "alert" }), list = problems();
  const name = field(words.name, { name: "camera-name", autocomplete: "off", maxlength: "100", value: camera ? camera.name : "" });
  const detection = camera ? camera.detection : { motion: false, sensitivity: 50, zones: [] };
  const enabled = toggle(words.enabled, { help: words.enabledHelp, on: camera ? camera.is_enabled : true, sends: true });
  const motion = toggle(words.motion, { help: words.motionHelp, on: detection.motion, sends: true, change: (on) => (looked.hidden = !on) });

  const level = h("output.small");
  const range = h("input.sensitivity", { type: "range", id: id("sensitivity"), min: "1", max: "100", value: String(detection.sensitivity), oninput: () => put(level, range.value) });
  put(level, range.value);
  const sensitivity = h("div.field", h("div.section-head", h("label.field-label", { for: range.id }, words.sensitivity), level), range, h("span.field-help", words.sensitivityHelp));
  const zones = camera && zonesEditor(cameraPicture(camera.camera_id, camera.name, { until }).node, detection.zones);
  const looked = h("div.stack", { hidden: !detection.motion }, sensitivity, zones && section(words.zones, { level: "h3" }, zones.node));
  const watching = section(words.motionHead, {}, motion.node, looked);
  const source = sourceFields(camera ? camera.source.kind : "rtsp", (kind) => (watching.hidden = kind !== "rtsp"));
  const elsewhere = camera && h("details.fold", h("summary", words.elsewhere), h("p.small.third.session-lead", words.elsewhereHelp(camera.source.address)), source.node);

  const save = h("button.button.filled", { type: "submit" }, camera ? words.save : words.add);
  const form = sending(save, send, list.node, said, name.node, camera ? elsewhere : source.node, enabled.node, watching,
    h("div.row-buttons", save, h("a.button.outlined", { href: path }, text.cancel)));

  function send() {
    fill(said);
    const found = [];
    const check = (one, message) => {
      one.error(message);
      if (message) found.push([message, one.input]);
    };
    check(name, name.value.trim() ? null : words.nameMissing);
    const moves = !camera || elsewhere.open;
    if (moves) source.check(check);
    list.show(found);
    if (found.length) return;
    const stream = (moves ? source.kind : camera.source.kind) === "rtsp";
    const body = {
      name: name.value.trim(), is_enabled: enabled.input.checked,
      detection: { motion: stream && motion.input.checked, sensitivity: Number(range.value), zones: zones ? zones.zones : [] },
      ...(moves && { source: source.value() }),
    };
    during(save, text.saving, async () => {
      const kept = camera
        ? await api("PATCH", path, { body, headers: { "If-Match": `"${camera.version}"` } })
        : await api("POST", path, { body, key: newKey() });
      say(camera ? words.saved(kept.name) : words.added(kept.name));
      go(`/cameras/${encodeURIComponent(kept.camera_id)}`, { replace: true });
    }, (error) => {
      // The hub names the field, and says in words what is wrong with it.
      const wrong = moves && source.fields[String((error.details || {}).field || "").replace(/^source\./, "")];
      if (wrong) {
        wrong.error(error.message);
        list.show([[error.message, wrong.input]]);
      } else fill(said, mistake(error, (error.code === "validation_error" && error.message) || undefined));
    });
  }

  const title = camera ? words.changeTitle(camera.name) : words.addTitle;
  return { title, node: h("div.narrow", pageHead(title, { back: path }), form) };
}

/** The camera's secret and nobody's password here: the browser is not to fill it in. */
function secretField(label, name, help) {
  const one = passwordField(label, { name, help });
  one.input.required = false;
  one.input.autocomplete = "off";
  return one;
}

/** Where a camera is, and how it is signed in to: what is asked depends on its kind. */
function sourceFields(first, changed) {
  const kind = field(words.kind, { name: "kind" }, { tag: "select" });
  kind.input.append(...Object.entries(words.kinds).map(([value, word]) => h("option", { value }, word)));
  kind.input.value = first;
  const url = field(words.url, { name: "url", type: "url", autocomplete: "off", spellcheck: "false", inputmode: "url" }, { help: words.urlHelp[first] });
  const username = field(words.user, { name: "camera-user", autocomplete: "off", spellcheck: "false" });
  const password = secretField(words.password, "camera-password", words.passwordHelp);
  const camera = field(words.there.frigate, { name: "camera-there", autocomplete: "off", spellcheck: "false" });
  const token = secretField(words.token, "camera-token", words.tokenHelp);
  const node = h("div.stack");
  const show = () => {
    const now = kind.value, proxied = now === "frigate" || now === "home_assistant";
    put(url.node.querySelector(".field-help"), words.urlHelp[now]);
    if (proxied) put(camera.node.querySelector("label"), words.there[now]);
    // What a kind does not ask for is not on the page: a browser takes two secrets in one form for a mistake.
    node.replaceChildren(...[kind, url, ...(now === "home_assistant" ? [camera, token] : [username, password, now === "frigate" && camera])].filter(Boolean).map((one) => one.node));
    changed(now);
  };
  kind.input.addEventListener("change", show);
  show();
  return {
    node, fields: { url, username, password, camera, token },
    get kind() {
      return kind.value;
    },
    check(check) {
      check(url, url.value.trim() ? null : words.urlMissing);
      check(camera, !camera.node.isConnected || camera.value.trim() ? null : words.thereMissing);
    },
    value() {
      const filled = (one, trim = true) => (!one.node.isConnected || !one.value ? undefined : trim ? one.value.trim() : one.value);
      return { kind: kind.value, url: url.value.trim(), username: filled(username), password: filled(password, false), camera: filled(camera), token: filled(token) };
    },
  };
}
