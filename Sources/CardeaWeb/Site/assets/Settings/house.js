// The house itself, as the hub knows it, and what the hub is known by.

import { api, clock, facts, failed, fill, h, longDay, pageHead, read, section, skeleton, text } from "../Shell/kit.js";
import { certificate } from "./words.js";

const words = text.settings.houseFacts;

export async function open() {
  const house = await api("GET", "/house");
  const at = Date.parse(house.now);
  return {
    title: text.settings.house,
    node: h("div.narrow", pageHead(text.settings.house, { back: "/settings" }), h("div.panel.padded", facts([
      [words.name, house.name], [words.zone, house.time_zone.replace(/_/g, " ")], [words.time, `${longDay(at)}, ${clock(at)}`],
      [words.address, house.public_url], [words.rooms, house.rooms.map((room) => room.name).join(", ")],
    ])), /\/\/(localhost|127\.|\[::1\])/.test(house.public_url || "") ? h("p.small.third", text.invite.warn.address) : null, knownBy()),
  };
}

/** In groups of four, as one compares them by eye. */
const grouped = (hex) => h("span.mono.fingerprint", hex.toUpperCase().match(/.{1,4}/g).join(" "));

function knownBy() {
  const board = h("div", skeleton(1));
  load();
  return section(certificate.title, {}, board);

  async function load() {
    try {
      const own = await api("GET", "/house/certificate");
      fill(board, h("div.panel.padded", facts([
        [certificate.fingerprint, grouped(own.fingerprint_sha256)], [certificate.until, longDay(read(own.not_after))],
        [certificate.pin, h("span.mono.fingerprint", own.pin)], [certificate.backup, own.backup_pin && h("span.mono.fingerprint", own.backup_pin)],
      ])), h("p.small.third.passkey-why", certificate.lead), own.backup_pin && h("p.small.third", certificate.backupHelp));
    } catch (error) {
      if (error.status === 404) fill(board, h("p.third", certificate.none));
      else fill(board, h("div.panel.padded", failed(error, load, certificate.failed)));
    }
  }
}
