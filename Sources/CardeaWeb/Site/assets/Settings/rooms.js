// The rooms of the house, in the order in which people walk through them.

import { api, attempt, board, button, choice, confirm, deed, empty, field, fill, form, h, icon, number, pageHead, path, refresh, row, rows, session, sheet, source, text } from "../Shell/kit.js";
import { prefers, rooms as words } from "./words.js";

const all = source("/rooms", /^room_update$/);

export async function open({ until, say, nothing }) {
  if (!session.can("modify_settings")) return nothing();
  const wrong = h("div"), head = pageHead(words.title, { back: "/settings", actions: [button("filled", words.add, () => edit())] });
  let list = [], moving = false;
  const place = board(until, all, (body, node) => {
    list = body.rooms;
    fill(node, list.length ? rows(list.map((room) => row(room.name, () => edit(room), [room.room_type !== "other" && words.kinds[room.room_type], words.floor(room.floor), room.preferred_temperature !== null && number.degrees(room.preferred_temperature)].filter(Boolean).join(" · "),
      h("span.row-do", step(room, -1, "up"), step(room, 1, "down"))))) : h("div.panel", empty(words.none, words.noneDo)));
  });

  function step(room, by, way) {
    const word = words[way](room.name), able = list[list.indexOf(room) + by];
    return h("button.icon-button", { title: word, "aria-disabled": !able && "true", onclick: () => able && move(room, by) }, icon(way, "i18"), h("span.vh", word));
  }

  async function move({ room_id: id }, by) {
    if (moving) return;
    moving = true;
    const room = list.find((one) => one.room_id === id), position = list.indexOf(room) + by;
    await deed(wrong, () => put(room, { position }), words.moved(room.name, position + 1, list.length), () => move(room, by), all);
    moving = false;
  }

  /** Makes a room, or changes what is said of one. */
  const edit = (room) => sheet(room ? room.name : words.add, (close) => {
    const before = room ? room.activities : [], plain = { autocomplete: "off", maxlength: "100" }, said = h("div");
    let was = room ? { ...room.lighting_preferences, ...room } : { floor: 0, activities: [] };
    const name = field(words.name, { ...plain, value: room ? room.name : "" }), kind = choice(words.kind, Object.entries(words.kinds)), at = list.indexOf(room), deeds = field(words.deeds, { ...plain, maxlength: "2000", value: was.activities.join(", ") });
    // Who reads degrees Fahrenheit reads feet, which the house counts in; a foot is .3048 metres.
    const feet = number.unit("°C") === "°F", foot = feet ? 1 : .3048;
    const numbers = [["floor", words.storey, -20, 200], ["preferred_temperature", prefers.warmth(number.unit("°C")), 5, 35, "°C"], ["preferred_humidity", words.damp, 0, 100], ["default_brightness", words.bright, 0, 100], ["square_footage", words.area(feet), 1, 1e5, foot ** 2], ["ceiling_height", words.ceiling(feet), 1, 100, foot], ["window_count", words.windows, 0, 1000], ["door_count", words.doors, 0, 1000]].map(([key, label, low, high, unit]) => {
      const now = was[key] ?? null, least = own(low, unit), most = own(high, unit), one = field(label, { ...plain, inputmode: low < 0 ? "text" : "decimal", value: now === null ? "" : own(now, unit) });
      return { key, one, get value() {
        const said = one.value.trim().replace(",", "."), value = Number(said), good = said ? value >= least && value <= most && (unit || !(value % 1)) : key !== "floor";
        one.error(good ? null : words.between(least, most));
        return !good ? undefined : said ? Math.min(high, Math.max(low, unit > 0 ? value / unit : number.house(value, unit))) : null;
      } };
    });
    kind.input.value = room ? room.room_type : "other";
    const written = () => ({ name: name.value.trim(), room_type: kind.value, activities: deeds.value, ...Object.fromEntries(numbers.map((one) => [one.key, one.value])) });
    was = written();
    return form(close, words.save, { nodes: [name.node, kind.node, h("div.two", numbers.map(({ one }) => one.node)), deeds.node, said], value() {
      const body = written(), bad = numbers.find(({ key }) => body[key] === undefined);
      name.error(body.name ? null : words.nameMissing);
      return body.name && !bad ? body : (body.name ? bad.one : name).input.focus();
    } }, (save, body) => attempt(save, said, async (key) => {
      try {
        // What was left alone stays as somebody else may have made it.
        const { default_brightness, ...change } = Object.fromEntries(Object.entries(body).filter(([name, value]) => value !== was[name]));
        if (default_brightness !== undefined) change.lighting_preferences = { ...(room && room.lighting_preferences), default_brightness };
        // What was there with a comma in it stays one.
        if (change.activities !== undefined) change.activities = before.reduce((all, one) => all.replace(one, () => one.replaceAll(",", "\0")), change.activities).split(",").map((one) => one.replaceAll("\0", ",").trim()).filter(Boolean);
        if (room) await put(room, change);
        else await api("POST", "/rooms", { body: change, key });
      } catch (error) {
        if (error.status === 412) room = error.details.current;
        throw error;
      }
      close("");
      say(text.saved);
      await refresh(all);
    }), room && button("plain.danger", words.remove, async () => {
      if (!(await confirm({ title: words.removeTitle(room.name), body: words.removeBody, verb: words.removeVerb }))) return;
      close("");
      await deed(wrong, (key) => api("DELETE", path("rooms", room.room_id), { key }), words.removed(room.name), () => edit(room), all);
      (place.querySelectorAll("button.row-link")[Math.min(at, list.length - 1)] || head.querySelector("h1")).focus();
    }));
  });

  return { title: words.title, node: h("div.list-page", head, h("p.third.session-lead", words.lead), wrong, place) };
}

/** A number as this person reads it, by a unit of theirs or by how many of it there are in a foot. */
const own = (value, unit) => Math.round((unit > 0 ? value * unit : number.own(value, unit)) * 100) / 100;

/** A room is written whole: as it was, but for `change`. */
const put = ({ room_id: id, version, ...room }, change) => api("PUT", path("rooms", id), { body: { ...room, ...change }, headers: { "If-Match": `"${version}"` } });
