// The house itself, as the hub knows it, and what the hub is known by.

import { api, clock, during, facts, failed, field, fill, h, longDay, mistake, pageHead, read, section, session, setZone, skeleton, text, zoneField } from "../Shell/kit.js";
import { certificate } from "./words.js";

const words = text.settings.houseFacts;

export async function open({ say, alarm }) {
  const house = await api("GET", "/house"), about = h("div.panel.padded");
  show(house);
  return {
    title: text.settings.house,
    node: h("div.narrow", pageHead(text.settings.house, { back: "/settings" }), about, session.can("modify_settings") && form(house, { say, alarm, show }), /\/\/(localhost|127\.|\[::1\])/.test(house.public_url || "") ? h("p.small.third", text.invite.warn.address) : null, knownBy()),
  };

  function show(now) {
    const at = Date.parse(now.now);
    fill(about, facts([
      [words.name, now.name], [words.zone, now.time_zone.replace(/_/g, " ")], [words.time, `${longDay(at)}, ${clock(at)}`],
      [words.address, now.public_url], [words.rooms, now.rooms.map((room) => room.name).join(", ")],
    ]));
  }
}

/** What it is called and by which clock it lives. `show` is given what it is now. */
function form(house, { say, alarm, show }) {
  let { version } = house;
  const name = field(text.claim.house, { name: "house-name", autocomplete: "off", maxlength: "80", value: house.name }, { help: text.claim.houseHelp });
  const zone = zoneField(house.time_zone), save = h("button.button.tonal", { type: "submit" }, words.save), said = h("div.form-said", { role: "alert" });
  return h("section.section", h("form.form", { novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    name.error(name.input.value.trim() ? null : `${text.claim.house}?`);
    if (!name.input.value.trim()) return name.input.focus();
    fill(said);
    during(save, text.saving, async () => {
      // What they left alone is not sent: somebody else may have changed that.
      is(house = await api("PUT", "/house", { body: Object.fromEntries(Object.entries({ name: name.input.value, time_zone: zone.input.value }).filter(([key, value]) => value !== house[key])), headers: { "If-Match": `"${version}"` } }));
      zone.input.value = house.time_zone;
      say(text.saved);
    }, (error) => {
      wrong(error);
      // What they typed stays; what somebody else has made of it stands above.
      if (error.status === 412) api("GET", "/house").then(is, wrong);
    });
  } }, name.node, zone.node, said, h("div", save)));

  function is(now) {
    ({ version } = now);
    setZone(now.time_zone);
    show(now);
  }

  function wrong(error) {
    fill(said, mistake(error));
    alarm(text.error(error));
  }
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
