// Where motion counts: polygons over the camera's picture. Corners are dragged, or moved by the arrow keys.

import { attr, fill, h, styled, svg } from "../Shell/kit.js";
import { cameras as words } from "./words.js";

const MOST_ZONES = 16, MOST_CORNERS = 32, FEWEST = 3;
const percent = (part) => Math.round(part * 1000) / 10;
const within = (part) => Math.min(1, Math.max(0, part));

/** `{ node, zones }` over `picture`; `zones` is as it is sent. */
export function zonesEditor(picture, given) {
  const zones = given.map((zone) => ({ name: zone.name, points: zone.points.map((point) => [...point]) }));
  let chosen = 0;
  const drawing = svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" });
  const corners = h("div");
  const board = h("div.zones-board", picture, drawing, corners);
  const list = h("div.zone-list"), none = h("p.small.third", words.zonesNone), help = h("p.small.third", words.cornerHelp);
  const add = h("button.button.outlined", { type: "button", onclick: addZone }, words.addZone);

  function draw() {
    fill(drawing, zones.map((zone, index) => svg("polygon", { points: zone.points.map(([x, y]) => `${x * 100},${y * 100}`).join(" "), ...(index === chosen && { "data-chosen": "" }) })));
  }

  function place(button, zone, index) {
    const [x, y] = zone.points[index].map(percent);
    styled(button, { "--x": x, "--y": y });
    attr(button, "aria-label", `${words.corner(zone.name || words.zone(chosen + 1), index + 1)}: ${words.cornerAt(x, y)}`);
  }

  function paint(focus = null) {
    draw();
    none.hidden = zones.length > 0;
    help.hidden = !zones.length;
    attr(add, "aria-disabled", zones.length >= MOST_ZONES ? "true" : null);
    const zone = zones[chosen];
    fill(corners, zone && zone.points.map((_, index) => {
      const button = h("button.zone-corner", { type: "button", onpointerdown: (event) => drag(event, button, zone, index), onkeydown: (event) => key(event, button, zone, index) });
      place(button, zone, index);
      return button;
    }));
    fill(list, zones.map((one, index) => row(one, index)));
    if (focus !== null && corners.children[focus]) corners.children[focus].focus();
  }

  function row(zone, index) {
    const name = h("input.input", { id: `zone-${index}`, maxlength: "100", value: zone.name, autocomplete: "off", onfocus: () => choose(index), oninput: () => (zone.name = name.value) });
    return h("div.zone-row", h("div", h("label.field-label", { for: name.id }, words.zoneName), name),
      h("button.button.plain.danger", { type: "button", onclick: () => {
        zones.splice(index, 1);
        chosen = Math.max(0, Math.min(chosen, zones.length - 1));
        paint();
        add.focus();
      } }, words.removeZone, h("span.vh", ` ${zone.name}`)),
      index === chosen && h("div.zone-do", h("button.button.outlined", { type: "button", onclick: () => addCorner(zone) }, words.addCorner)));
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

  /** A corner more, in the middle of the longest side. */
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
