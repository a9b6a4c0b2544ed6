// The doors alone, for those who live here and let nobody in.

import { empty, fill, follow, followConnection, h, notHeard, pageHead, session, skeleton, text } from "../Shell/kit.js";
import { doorPanel } from "./board.js";
import { doorsOf } from "./kinds.js";

export async function open({ until }) {
  const panel = doorPanel();
  const board = h("div", skeleton(3, "doors"));
  let devices = null;
  const paint = (news) => {
    devices = news;
    panel.update(devices);
    if (!doorsOf(devices).length) fill(board, h("div.panel", empty(text.sentence.none)));
    else if (!panel.node.isConnected) fill(board, panel.node);
  };
  until(follow("devices", paint, (error) => devices === null && fill(board, notHeard("devices", error))));
  until(follow("activity", () => devices && paint(devices)));
  until(followConnection(() => devices && paint(devices)));
  return { title: text.nav.doors, node: [pageHead(text.nav.doors), h("h2.vh", session.house.name), h("div.narrow", board)] };
}
