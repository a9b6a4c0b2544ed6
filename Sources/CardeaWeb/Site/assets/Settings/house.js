// The house: name, time zone, preferences, certificate; and its rooms, in their order.

import { api, attempt, liveSection, button, choice, clock, confirm, runAction, during, empty, facts, errorPanel, field, fill, form, h, icon, longDay, formError, number, pageHead, path, read, refresh, row, rows, section, sending, session, setZone, sheet, skeleton, source, text, toggle, wallTime, zoneField } from "../Shell/ui.js";
import { parseClock } from "../Guests/timeField.js";
import { certificate, prefers, rooms as roomWords } from "./words.js";

const words = text.settings.houseFacts;

export async function open({ say, alarm }) {
  const house = await api("GET", "/house"), about = h("div.panel.padded");
  show(house);
  return {
    title: text.settings.house,
    node: h("div.narrow", pageHead(text.settings.house, { back: "/settings" }), about, /\/\/(localhost|127\.|\[::1\])/.test(house.public_url || "") ? h("p.small.third.passkey-why", text.invite.warn.address) : null, session.can("modify_settings") && houseForm(house, { say, alarm, show }), knownBy()),
  };

  function show(now) {
    const at = Date.parse(now.now);
    fill(about, facts([
      [words.name, now.name], [words.zone, now.time_zone.replace(/_/g, " ")], [words.time, `${longDay(at)}, ${clock(at)}`],
      [words.address, now.public_url], [words.rooms, now.rooms.map((room) => room.name).join(", ")],
    ]));
  }
}

/** Name, time zone and preferences. `show` gets the current values. */
function houseForm(house, { say, alarm, show }) {
  let { version } = house, was;
  const plain = { autocomplete: "off", maxlength: "8" }, pick = (label, more) => toggle(label, { sends: true, ...more });
  const name = field(text.claim.house, { name: "house-name", autocomplete: "off", maxlength: "80" }, { help: text.claim.houseHelp });
  const zone = zoneField(house.time_zone), floors = field(prefers.floors, { ...plain, inputmode: "numeric" }), warmth = field(prefers.warmth(number.unit("°C")), { ...plain, inputmode: "decimal" });
  const answers = session.me.role === "owner" && choice(prefers.answers, Object.entries(prefers.answerers));
  const away = pick(prefers.away, { help: prefers.awayHelp }), from = field(text.invite.from, plain), to = field(text.invite.until, plain), night = h("div.two", from.node, to.node);
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
      // Unchanged values are not sent: someone else may have changed them.
      const touched = Object.entries(now).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(was[key]));
      const own = Object.fromEntries(touched.filter(([key]) => key in house)), preferences = Object.fromEntries(touched.filter(([key]) => !(key in house)));
      is(house = await api("PUT", "/house", { body: { ...own, ...(Object.keys(preferences).length && { preferences }) }, headers: { "If-Match": `"${version}"` } }));
      stand();
      say(text.saved);
    }, (error) => {
      wronged(error);
      // Typed values stay; the changes of others are shown above.
      if (error.status === 412) api("GET", "/house").then(is, wronged);
    });
  }, name.node, zone.node, h("div.two", warmth.node, floors.node), answers && answers.node, h("div", away.node, quiet.node, night), said, h("div", save)));

  /** The values of the form, by their names in the API. */
  function written() {
    return {
      name: name.value, time_zone: zone.value, number_of_floors: Number(floors.value), default_temperature: number.house(Number(warmth.value.replace(",", ".")), "°C"),
      ...(answers && { asks_answered_by: answers.value }), vacation_mode: away.input.checked, quiet_hours: quiet.input.checked ? { from: parseClock(from.value), to: parseClock(to.value) } : null,
    };
  }

  /** Fills the form with the current values. */
  function stand() {
    const { default_temperature: degrees, quiet_hours: hours, vacation_mode: isAway } = house.preferences;
    name.input.value = house.name;
    zone.input.value = house.time_zone;
    floors.input.value = house.number_of_floors;
    warmth.input.value = Math.round(number.own(degrees, "°C") * 100) / 100;
    if (answers) answers.input.value = house.asks_answered_by;
    away.input.checked = isAway;
    quiet.input.checked = hours;
    night.hidden = !hours;
    from.input.value = wallTime(hours ? hours.from : "22:00");
    to.input.value = wallTime(hours ? hours.to : "07:00");
    was = written();
  }

  function is(now) {
    ({ version } = now);
    setZone(now.time_zone);
    show(now);
  }

  function wronged(error) {
    fill(said, formError(error));
    alarm(text.error(error));
  }
}

/** In groups of four, to compare by eye. */
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
      else fill(board, h("div.panel.padded", errorPanel(error, load, certificate.failed)));
    }
  }
}

const all = source("/rooms", /^room_update$/);

export const rooms = { async open({ until, say, nothing }) {
  if (!session.can("modify_settings")) return nothing();
  const wrong = h("div"), head = pageHead(roomWords.title, { back: "/settings", actions: [button("filled", roomWords.add, () => edit())] });
  let list = [], moving = false;
  const place = liveSection(until, all, (body, node) => {
    list = body.rooms;
    fill(node, list.length ? rows(list.map((room) => row(room.name, () => edit(room), [room.room_type !== "other" && roomWords.kinds[room.room_type], roomWords.floor(room.floor), room.preferred_temperature !== null && number.degrees(room.preferred_temperature)].filter(Boolean).join(" · "),
      h("span.row-do", step(room, -1, "up"), step(room, 1, "down"))))) : h("div.panel", empty(roomWords.none, roomWords.noneDo)));
  });

  function step(room, by, way) {
    const word = roomWords[way](room.name), able = list[list.indexOf(room) + by];
    return h("button.icon-button", { title: word, "aria-disabled": !able && "true", onclick: () => able && move(room, by) }, icon(way, "i18"), h("span.vh", word));
  }

  async function move({ room_id: id }, by) {
    if (moving) return;
    moving = true;
    const room = list.find((one) => one.room_id === id), position = list.indexOf(room) + by;
    await runAction(wrong, () => put(room, { position }), roomWords.moved(room.name, position + 1, list.length), () => move(room, by), all);
    moving = false;
  }

  /** Adds a room, or changes one. */
  const edit = (room) => sheet(room ? room.name : roomWords.add, (close) => {
    const before = room ? room.activities : [], plain = { autocomplete: "off", maxlength: "100" }, said = h("div");
    let was = room ? { ...room.lighting_preferences, ...room } : { floor: 0, activities: [] };
    const name = field(roomWords.name, { ...plain, value: room ? room.name : "" }), kind = choice(roomWords.kind, Object.entries(roomWords.kinds)), at = list.indexOf(room), deeds = field(roomWords.deeds, { ...plain, maxlength: "2000", value: was.activities.join(", ") });
    // People who read degrees Fahrenheit get feet; the house stores metres. A foot is .3048 metres.
    const feet = number.unit("°C") === "°F", foot = feet ? 1 : .3048;
    const numbers = [["floor", roomWords.storey, -20, 200], ["preferred_temperature", prefers.warmth(number.unit("°C")), 5, 35, "°C"], ["preferred_humidity", roomWords.damp, 0, 100], ["default_brightness", roomWords.bright, 1, 100], ["square_footage", roomWords.area(feet), 1, 1e5, foot ** 2], ["ceiling_height", roomWords.ceiling(feet), 1, 100, foot], ["window_count", roomWords.windows, 0, 1000], ["door_count", roomWords.doors, 0, 1000]].map(([key, label, low, high, unit]) => {
      const now = was[key] ?? null, least = own(low, unit), most = own(high, unit), one = field(label, { ...plain, inputmode: low < 0 ? "text" : "decimal", value: now === null ? "" : own(now, unit) }, { help: key === "default_brightness" && roomWords.brightHelp });
      return { key, one, get value() {
        const said = one.value.trim().replace(",", "."), value = Number(said), good = said ? value >= least && value <= most && (unit || !(value % 1)) : key !== "floor";
        one.error(good ? null : roomWords.between(least, most));
        return !good ? undefined : said ? Math.min(high, Math.max(low, unit > 0 ? value / unit : number.house(value, unit))) : null;
      } };
    });
    const motion = toggle(roomWords.motion, { sends: true, help: roomWords.motionHelp, on: was.motion_activated });
    kind.input.value = room ? room.room_type : "other";
    const written = () => ({ name: name.value.trim(), room_type: kind.value, activities: deeds.value, motion_activated: motion.input.checked, ...Object.fromEntries(numbers.map((one) => [one.key, one.value])) });
    was = written();
    return form(close, roomWords.save, { nodes: [name.node, kind.node, h("div.two", numbers.map(({ one }) => one.node)), motion.node, deeds.node, said], value() {
      const body = written(), bad = numbers.find(({ key }) => body[key] === undefined);
      name.error(body.name ? null : roomWords.nameMissing);
      return body.name && !bad ? body : (body.name ? bad.one : name).input.focus();
    } }, (save, body) => attempt(save, said, async (key) => {
      try {
        // Unchanged values stay as someone else may have changed them.
        const touched = (those) => Object.fromEntries(Object.entries(body).filter(([name, value]) => value !== was[name] && /^(default_brightness|motion_activated)$/.test(name) === those));
        const change = touched(false), light = touched(true);
        if (Object.keys(light).length) change.lighting_preferences = { ...(room && room.lighting_preferences), ...light };
        // A stored activity with a comma in it stays one.
        if (change.activities !== undefined) change.activities = before.reduce((all, one) => all.replace(one, () => one.replaceAll(",", "\0")), change.activities).split(",").map((one) => one.replaceAll("\0", ",").trim()).filter(Boolean);
        if (room) await put(room, change);
        else await api("POST", "/rooms", { body: change, key });
      } catch (error) {
        if (error.status === 412) {
          const now = error.details.current;
          error.said = text.changed(error, [[roomWords.name, room.name, now.name], [roomWords.storey, room.floor, now.floor]]);
          room = now;
        }
        throw error;
      }
      close("");
      say(text.saved);
      await refresh(all);
    }), room && button("plain.danger", roomWords.remove, async () => {
      if (!(await confirm({ title: roomWords.removeTitle(room.name), body: roomWords.removeBody, verb: roomWords.removeVerb }))) return;
      close("");
      await runAction(wrong, (key) => api("DELETE", path("rooms", room.room_id), { key }), roomWords.removed(room.name), () => edit(room), all);
      (place.querySelectorAll("button.row-link")[Math.min(at, list.length - 1)] || head.querySelector("h1")).focus();
    }));
  });

  return { title: roomWords.title, node: h("div.list-page", head, h("p.third.session-lead", roomWords.lead), wrong, place) };
} };

/** Converts a number to the person's unit, or by its factor to feet. */
const own = (value, unit) => Math.round((unit > 0 ? value * unit : number.own(value, unit)) * 100) / 100;

/** The API replaces a room as a whole: its current values, with `change`. */
const put = ({ room_id: id, version, ...room }, change) => api("PUT", path("rooms", id), { body: { ...room, ...change }, headers: { "If-Match": `"${version}"` } });
