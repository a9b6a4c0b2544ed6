// One room in large: its doors and all its other devices.

import { empty, fill, h, pageHead, session, skeleton, text } from "../Shell/ui.js";
import { climateOf, doorPanel, followDevices, tileList } from "./deviceGrid.js";
import { doorsOf, tilesOf } from "./deviceKinds.js";

export async function open({ params, until, nothing }) {
  const id = params[0];
  const found = session.house.rooms.find((room) => room.room_id === id);
  if (!found) return nothing();
  const head = pageHead(found.name, { back: "/", sub: " " });
  const reading = head.querySelector(".third");
  const panel = doorPanel(), tiles = tileList("ul.tiles.large");
  const board = h("div.room-board.device", skeleton(2, "doors"));

  const paint = (devices, at, changed) => {
    const here = devices.filter((one) => one.room_id === id);
    const all = tilesOf(here);
    reading.textContent = climateOf(all) || "\u00a0";
    if (!here.length) return fill(board, h("div.panel", empty(text.room.empty, text.room.emptyDo)));
    panel.update(here);
    tiles.update(all, changed);
    panel.node.hidden = !doorsOf(here).length;
    if (!tiles.node.isConnected) fill(board, panel.node, tiles.node);
  };
  followDevices(until, board, paint);
  return { title: found.name, node: [head, h("h2.vh", text.device.now), board] };
}

/** The doors alone, for residents who may not invite guests. */
export const doors = { async open({ until }) {
  const panel = doorPanel();
  const board = h("div", skeleton(3, "doors"));
  const paint = (devices) => {
    panel.update(devices);
    if (!doorsOf(devices).length) fill(board, h("div.panel", empty(text.sentence.none)));
    else if (!panel.node.isConnected) fill(board, panel.node);
  };
  followDevices(until, board, paint);
  return { title: text.nav.doors, node: [pageHead(text.nav.doors), h("h2.vh", session.house.name), h("div.narrow", board)] };
} };
