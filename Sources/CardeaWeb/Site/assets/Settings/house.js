// The house itself, as the hub knows it.

import { api } from "../Shell/api.js";
import { h } from "../Shell/h.js";
import { facts, pageHead } from "../Shell/parts.js";
import { text } from "../Shell/text.js";
import { clock, longDay } from "../Shell/time.js";

const words = text.settings.houseFacts;

export async function open() {
  const house = await api("GET", "/house");
  const at = Date.parse(house.now);
  return {
    title: text.settings.house,
    node: h("div.narrow", pageHead(text.settings.house, { back: "/settings" }), h("div.panel.padded", facts([
      [words.name, house.name], [words.zone, house.time_zone.replace(/_/g, " ")], [words.time, `${longDay(at)}, ${clock(at)}`],
      [words.address, house.public_url], [words.rooms, house.rooms.map((room) => room.name).join(", ")],
    ])), /\/\/(localhost|127\.|\[::1\])/.test(house.public_url || "") ? h("p.small.third", text.invite.warn.address) : null),
  };
}
