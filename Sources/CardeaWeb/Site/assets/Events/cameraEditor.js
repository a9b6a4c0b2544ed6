// The form of a camera: name, address, sign-in, motion detection and its zones.

import { api, setAttribute, during, field, fill, h, id, formError, newKey, pageHead, errorSummary, setText, section, sending, setStyles, svg, text, toggle } from "../Shell/ui.js";
import { passwordField } from "../Sessions/password.js";
import { cameras as words } from "./words.js";
import { cameraPicture } from "./cameraView.js";

export async function open({ params, until, say, go }) {
  const camera = params[0] ? await api("GET", `/cameras/${encodeURIComponent(params[0])}`) : null;
  const path = camera ? `/cameras/${encodeURIComponent(camera.camera_id)}` : "/cameras";
  const said = h("div.form-said", { role: "alert" }), list = errorSummary();
  const name = field(words.name, { name: "camera-name", autocomplete: "off", maxlength: "100", value: camera ? camera.name : "" });
  const detection = camera ? camera.detection : { motion: false, sensitivity: 50, zones: [] };
  const enabled = toggle(words.enabled, { help: words.enabledHelp, on: camera ? camera.is_enabled : true, sends: true });
  const motion = toggle(words.motion, { help: words.motionHelp, on: detection.motion, sends: true, change: (on) => (looked.hidden = !on) });

  const level = h("output.small");
  const range = h("input.sensitivity", { type: "range", id: id("sensitivity"), min: "1", max: "100", value: String(detection.sensitivity), oninput: () => setText(level, range.value) });
  setText(level, range.value);
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
      // The hub names the field and words the error.
      const wrong = moves && source.fields[String((error.details || {}).field || "").replace(/^source\./, "")];
      if (wrong) {
        wrong.error(error.message);
        list.show([[error.message, wrong.input]]);
      } else fill(said, formError(error, (error.code === "validation_error" && error.message) || undefined));
    });
  }

  const title = camera ? words.changeTitle(camera.name) : words.addTitle;
  return { title, node: h("div.narrow", pageHead(title, { back: path }), form) };
}

/** The camera's secret is not a person's password, so the browser must not fill it in. */
function secretField(label, name, help) {
  const one = passwordField(label, { name, help });
  one.input.required = false;
  one.input.autocomplete = "off";
  return one;
}

/** The address of a camera and its sign-in; the fields depend on its kind. */
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
    setText(url.node.querySelector(".field-help"), words.urlHelp[now]);
    if (proxied) setText(camera.node.querySelector("label"), words.there[now]);
    // Fields of other kinds are not on the page: browsers mistake two secrets in one form for a password change.
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

// Motion zones: polygons over the camera's picture. Corners are dragged, or moved with the arrow keys.

const MOST_ZONES = 16, MOST_CORNERS = 32, FEWEST = 3;
const percent = (part) => Math.round(part * 1000) / 10;
const within = (part) => Math.min(1, Math.max(0, part));

/** Returns `{ node, zones }` over `picture`; `zones` has the form of the API. */
function zonesEditor(picture, given) {
  const zones = given.map((zone) => ({ name: zone.name, points: zone.points.map((point) => [...point]) }));
  let chosen = 0;
  const drawing = svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" });
  const corners = h("div");
  const board = h("div.zones-board", picture, drawing, corners);
  const list = h("div.zone-list"), none = h("p.small.third", words.zonesNone), help = h("p.small.third", words.cornerHelp);
  const add = h("button.button.outlined", { onclick: addZone }, words.addZone);

  function draw() {
    fill(drawing, zones.map((zone, index) => svg("polygon", { points: zone.points.map(([x, y]) => `${x * 100},${y * 100}`).join(" "), ...(index === chosen && { "data-chosen": "" }) })));
  }

  function place(button, zone, index) {
    const [x, y] = zone.points[index].map(percent);
    setStyles(button, { "--x": x, "--y": y });
    setAttribute(button, "aria-label", `${words.corner(zone.name || words.zone(chosen + 1), index + 1)}: ${words.cornerAt(x, y)}`);
  }

  function paint(focus = null) {
    draw();
    none.hidden = zones.length > 0;
    help.hidden = !zones.length;
    setAttribute(add, "aria-disabled", zones.length >= MOST_ZONES ? "true" : null);
    const zone = zones[chosen];
    fill(corners, zone && zone.points.map((_, index) => {
      const button = h("button.zone-corner", { onpointerdown: (event) => drag(event, button, zone, index), onkeydown: (event) => key(event, button, zone, index) });
      place(button, zone, index);
      return button;
    }));
    fill(list, zones.map((one, index) => row(one, index)));
    if (focus !== null && corners.children[focus]) corners.children[focus].focus();
  }

  function row(zone, index) {
    const name = h("input.input", { id: `zone-${index}`, maxlength: "100", value: zone.name, autocomplete: "off", onfocus: () => choose(index), oninput: () => (zone.name = name.value) });
    return h("div.zone-row", h("div", h("label.field-label", { for: name.id }, words.zoneName), name),
      h("button.button.plain.danger", { onclick: () => {
        zones.splice(index, 1);
        chosen = Math.max(0, Math.min(chosen, zones.length - 1));
        paint();
        add.focus();
      } }, words.removeZone, h("span.vh", ` ${zone.name}`)),
      index === chosen && h("div.zone-do", h("button.button.outlined", { onclick: () => addCorner(zone) }, words.addCorner)));
  }

  function choose(index) {
    if (index === chosen) return;
    chosen = index;
    paint();
    list.querySelector(`#zone-${index}`).focus();
  }

  function addZone() {
    if (zones.length >= MOST_ZONES) return;
    let n = zones.length + 1;
    while (zones.some((zone) => zone.name === words.zone(n))) n += 1;
    zones.push({ name: words.zone(n), points: [[0.25, 0.25], [0.75, 0.25], [0.75, 0.75], [0.25, 0.75]] });
    chosen = zones.length - 1;
    paint(0);
  }

  /** Adds a corner in the middle of the longest side. */
  function addCorner(zone) {
    if (zone.points.length >= MOST_CORNERS) return;
    const length = (i) => {
      const [a, b] = [zone.points[i], zone.points[(i + 1) % zone.points.length]];
      return Math.hypot(a[0] - b[0], a[1] - b[1]);
    };
    let longest = 0;
    for (let i = 1; i < zone.points.length; i += 1) if (length(i) > length(longest)) longest = i;
    const [a, b] = [zone.points[longest], zone.points[(longest + 1) % zone.points.length]];
    zone.points.splice(longest + 1, 0, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
    paint(longest + 1);
  }

  function drag(event, button, zone, index) {
    event.preventDefault();
    button.focus();
    button.setPointerCapture(event.pointerId);
    const move = ({ clientX, clientY }) => {
      const box = board.getBoundingClientRect();
      zone.points[index] = [within((clientX - box.left) / box.width), within((clientY - box.top) / box.height)];
      place(button, zone, index);
      draw();
    };
    const end = () => button.removeEventListener("pointermove", move);
    button.addEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) button.addEventListener(name, end, { once: true });
  }

  function key(event, button, zone, index) {
    const step = event.shiftKey ? 0.05 : 0.01;
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (by) {
      zone.points[index] = zone.points[index].map((part, axis) => within(part + by[axis]));
      place(button, zone, index);
      draw();
    } else if ((event.key === "Delete" || event.key === "Backspace") && zone.points.length > FEWEST) {
      zone.points.splice(index, 1);
      paint(Math.min(index, zone.points.length - 1));
    } else return;
    event.preventDefault();
  }

  paint();
  return {
    node: h("div", board, help, list, none, h("div.row-buttons", add)),
    get zones() {
      return zones.map((zone, index) => ({ name: zone.name.trim() || words.zone(index + 1), points: zone.points.map((point) => point.map((part) => Math.round(part * 10000) / 10000)) }));
    },
  };
}
