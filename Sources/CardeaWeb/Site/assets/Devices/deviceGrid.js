// The doors as one panel and the rooms with their tiles, updated with the house.

import { setAttribute, keyed } from "../Shell/reconcile.js";
import { fill, h, icon, setText } from "../Shell/dom.js";
import { follow, followConnection, known } from "../Shell/liveData.js";
import { topicError } from "../Shell/components.js";
import { number, text } from "../Shell/text.js";
import { read } from "../Shell/time.js";
import { session } from "../Sessions/session.js";
import "./doorRow.js";
import { doorsOf, keyOf, tilesOf } from "./deviceKinds.js";
import "./tile.js";

/** Paints the devices whenever they, their activity or the connection changes; if they never loaded, `board` shows the error. */
export function followDevices(until, board, paint) {
  let devices = null;
  const again = () => devices && paint(devices);
  until(follow("devices", (news, ...more) => paint((devices = news), ...more), (error) => devices === null && fill(board, topicError("devices", error))));
  until(follow("activity", again));
  until(followConnection(again));
}

/** The person who moved a door last: from the confirmed entry nearest to the change. */
export function movedBy(device) {
  const activity = known("activity");
  const changed = read(device.state_changed_at);
  if (!activity || !changed) return null;
  const entry = activity.entries.find((one) => one.device_id === device.device_id && one.result === "confirmed");
  if (!entry || Math.abs(read(entry.at) - changed) > 20000 || !entry.who) return null;
  if (entry.via && !/tag|button/.test(entry.via.kind)) return text.activity.via(entry.via.kind, entry.via.name).replace(/^by /, "");
  return entry.who.id === session.me.person_id ? text.door.you : entry.who.name || null;
}

export function doorPanel() {
  const list = h("ul.doors");
  return { node: h("div.panel", list), update(devices) {
    keyed(list, doorsOf(devices), keyOf, () => h("li", document.createElement("door-row")), (row, door) => {
      const element = row.firstElementChild;
      element.update(door, { by: movedBy(door.device) });
      setAttribute(row, "data-warm", element.dataset.warm);
    });
  } };
}

/** Rooms in the house's order, each kept in its place. */
export function roomSections() {
  const node = h("div.rooms");
  return { node, update(devices, changed) {
    const order = session.house.rooms.map((room) => room.room_id);
    const byRoom = new Map();
    for (const tile of tilesOf(devices)) {
      const key = tile.device.room_id || "";
      if (!byRoom.has(key)) byRoom.set(key, { id: key, name: tile.device.room || text.home.elsewhere, tiles: [] });
      byRoom.get(key).tiles.push(tile);
    }
    const place = (room) => (order.indexOf(room.id) + 1 || 999);
    const list = [...byRoom.values()].sort((a, b) => place(a) - place(b));
    keyed(node, list, (room) => room.id, makeRoom, (section, room) => {
      setText(section.querySelector(".room-name"), room.name);
      setText(section.querySelector(".room-reading"), climateOf(room.tiles));
      section.tiles.update(room.tiles, changed);
    });
  } };
}

function makeRoom(room) {
  const tiles = tileList();
  const node = h("section.section", h("div.section-head", h("h2", room.id ? h("a.room-link", { href: `/rooms/${encodeURIComponent(room.id)}` }, h("span.room-name"), icon("chevron", "i14")) : h("span.room-name")), h("span.small.third.room-reading")), tiles.node);
  return Object.assign(node, { tiles });
}

/** Tiles side by side; `update(tiles, changed)` touches only changed ones. */
export function tileList(tag = "ul.tiles") {
  const node = h(tag);
  return { node, update(tiles, changed) {
    keyed(node, tiles, keyOf, () => h("li", document.createElement("device-tile")), (row, tile) => {
      const element = row.firstElementChild;
      if (!element.entity || !changed || changed.has(tile.device.device_id)) element.update(tile);
    });
  } };
}

/** "21.4 °C · 46 %" beside a room's name. */
export function climateOf(tiles) {
  const find = (test) => tiles.find(({ device, entity }) => device.status !== "offline" && test(entity));
  const warm = find((e) => e.entity_type === "climate" && e.attributes.current_temperature) || find((e) => e.device_class === "temperature" && Number.isFinite(Number(e.state)));
  const damp = find((e) => e.device_class === "humidity" && Number.isFinite(Number(e.state)));
  const read = [];
  if (tiles.length < 2) return "";
  if (warm) read.push(number.degrees(warm.entity.entity_type === "climate" ? warm.entity.attributes.current_temperature : Number(warm.entity.state)));
  if (damp) read.push(number.percent(Number(damp.entity.state)));
  return read.join(" · ");
}
