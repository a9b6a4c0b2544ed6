// The house itself, as the hub knows it, and what the hub is known by.

import { api, clock, during, facts, failed, field, fill, h, longDay, mistake, number, pageHead, read, section, segments, sending, session, setZone, skeleton, text, toggle, wall, zoneField } from "../Shell/kit.js";
import { readWall } from "../Guests/when.js";
import { certificate, prefers } from "./words.js";

const words = text.settings.houseFacts;

export async function open({ say, alarm }) {
  const house = await api("GET", "/house"), about = h("div.panel.padded");
  show(house);
  return {
    title: text.settings.house,
    node: h("div.narrow", pageHead(text.settings.house, { back: "/settings" }), about, /\/\/(localhost|127\.|\[::1\])/.test(house.public_url || "") ? h("p.small.third.passkey-why", text.invite.warn.address) : null, session.can("modify_settings") && form(house, { say, alarm, show }), knownBy()),
  };

  function show(now) {
    const at = Date.parse(now.now);
    fill(about, facts([
      [words.name, now.name], [words.zone, now.time_zone.replace(/_/g, " ")], [words.time, `${longDay(at)}, ${clock(at)}`],
      [words.address, now.public_url], [words.rooms, now.rooms.map((room) => room.name).join(", ")],
    ]));
  }
}

/** What it is called, by which clock it lives and what it prefers. `show` is given what it is now. */
function form(house, { say, alarm, show }) {
  let { version } = house, was;
  const plain = { autocomplete: "off", maxlength: "8" }, pick = (label, more) => toggle(label, { sends: true, ...more });
  const name = field(text.claim.house, { name: "house-name", autocomplete: "off", maxlength: "80" }, { help: text.claim.houseHelp });
  const zone = zoneField(house.time_zone), floors = field(prefers.floors, { ...plain, inputmode: "numeric" }), warmth = field(prefers.warmth(number.unit("°C")), { ...plain, inputmode: "decimal" });
  const level = segments(prefers.level, Object.entries(prefers.levels), null, () => {});
  const saves = pick(prefers.saves), away = pick(prefers.away), from = field(text.invite.from, plain), to = field(text.invite.until, plain), night = h("div.two", from.node, to.node);
  const quiet = pick(prefers.quiet, { help: prefers.quietHelp, change: (on) => (night.hidden = !on) });
  const save = h("button.button.tonal", { type: "submit" }, words.save), said = h("div.form-said", { role: "alert" });
  stand();
  return h("section.section", sending(save, () => {
    const now = written(), { quiet_hours: hours } = now, within = (value, low, high) => value >= low && value <= high;
    const wrong = [
      [name, now.name.trim() ? null : `${text.claim.house}?`],
      [warmth, within(now.default_temperature, 5, 35) ? null : prefers.warmthWrong(number.degrees(5), number.degrees(35))],
      [floors, within(now.number_of_floors, 1, 200) && !(now.number_of_floors % 1) ? null : prefers.floorsWrong],
      ...[[from, "from"], [to, "to"]].map(([one, name]) => [one, !hours || hours[name] ? null : text.invite.timeUnreadable]),
    ].filter(([one, why]) => one.error(why) || why);
    if (wrong.length) return wrong[0][0].input.focus();
    fill(said);
    during(save, text.saving, async () => {
      // What they left alone is not sent: somebody else may have changed that.
      const touched = Object.entries(now).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(was[key]));
      const own = Object.fromEntries(touched.filter(([key]) => key in house)), preferences = Object.fromEntries(touched.filter(([key]) => !(key in house)));
      is(house = await api("PUT", "/house", { body: { ...own, ...(Object.keys(preferences).length && { preferences }) }, headers: { "If-Match": `"${version}"` } }));
      stand();
      say(text.saved);
    }, (error) => {
      wronged(error);
      // What they typed stays; what somebody else has made of it stands above.
      if (error.status === 412) api("GET", "/house").then(is, wronged);
    });
  }, name.node, zone.node, h("p.third", prefers.lead), h("div.two", warmth.node, floors.node), h("div", h("p.field-label", prefers.level), level), h("div", saves.node, away.node, quiet.node, night), said, h("div", save)));

  /** What stands in the form, by the names that it has on the wire. */
  function written() {
    return {
      name: name.value, time_zone: zone.value, number_of_floors: Number(floors.value), default_temperature: number.house(Number(warmth.value.replace(",", ".")), "°C"), security_level: level.querySelector(":checked").value,
      energy_saving_mode: saves.input.checked, vacation_mode: away.input.checked, quiet_hours: quiet.input.checked ? { from: readWall(from.value), to: readWall(to.value) } : null,
    };
  }

  /** The form says what is. */
  function stand() {
    const { default_temperature: degrees, security_level: chosen, quiet_hours: hours, energy_saving_mode: isSaving, vacation_mode: isAway } = house.preferences;
    name.input.value = house.name;
    zone.input.value = house.time_zone;
    floors.input.value = house.number_of_floors;
    warmth.input.value = Math.round(number.own(degrees, "°C") * 100) / 100;
    level.querySelector(`[value=${chosen}]`).checked = true;
    saves.input.checked = isSaving;
    away.input.checked = isAway;
    quiet.input.checked = hours;
    night.hidden = !hours;
    from.input.value = wall(hours ? hours.from : "22:00");
    to.input.value = wall(hours ? hours.to : "07:00");
    was = written();
  }

  function is(now) {
    ({ version } = now);
    setZone(now.time_zone);
    show(now);
  }

  function wronged(error) {
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
