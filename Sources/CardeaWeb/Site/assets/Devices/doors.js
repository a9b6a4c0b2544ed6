// The doors alone, for those who live here and let nobody in.

import { empty, fill, h, pageHead, session, skeleton, text } from "../Shell/kit.js";
import { doorPanel, followDevices } from "./board.js";
import { doorsOf } from "./kinds.js";

export async function open({ until }) {
  const panel = doorPanel();
  const board = h("div", skeleton(3, "doors"));
  const paint = (devices) => {
    panel.update(devices);
    if (!doorsOf(devices).length) fill(board, h("div.panel", empty(text.sentence.none)));
    else if (!panel.node.isConnected) fill(board, panel.node);
  };
  followDevices(until, board, paint);
  return { title: text.nav.doors, node: [pageHead(text.nav.doors), h("h2.vh", session.house.name), h("div.narrow", board)] };
}
