// Let someone in: one page with all choices, and a sentence below that always describes the resulting pass.

import { api, clock, DAY, dayDistance, dayInSentence, during, field, fill, follow, formIdempotencyKeys, glyph, h, icon, id, listOf, formError, now, pageHead, dateParts, errorSummary, setText, refresh, schedule, segments, session, skeleton, stepper, text, toggle, zoneDiffers } from "../Shell/ui.js";
import { drawingOf } from "../Devices/tile.js";
import { doorState, doorsOf, tilesOf } from "../Devices/deviceKinds.js";
import { passCard } from "./passes.js";
import { scheduleEditor } from "./schedule.js";
import { quickRanges, parseMoment, formatMoment } from "./timeField.js";

const words = text.invite;

/** What a pass may do with each kind of device, in the action names of passes. */
const ACTIONS = {
  lock: ["door.open"], cover: ["garage.open", "garage.close"], light: ["light.on", "light.off", "light.set_brightness"],
  switch: ["switch.on", "switch.off"], climate: ["climate.read", "climate.set_temperature"],
};

export async function open({ until, go, say, alarm }) {
  const [start, end] = quickRanges.defaults();
  const draft = { name: "", chosen: new Set(), mode: "once", from: start, until: end, lastDay: now() + 90 * DAY, uses: 1, ask: false, first: false, local: false };
  const keyOf = formIdempotencyKeys();
  const wrong = errorSummary();
  const name = field(words.who, { autocomplete: "off", maxlength: "60", oninput: () => { draft.name = name.value.trim(); name.error(null); renew(); } }, { help: words.whoHelp });

  const sentence = h("p.lead-sentence"), notes = h("p.small.third");
  const polite = h("div.vh", { "aria-live": "polite" });
  let speaking = 0;
  let editor = null;

  // What
  const what = h("div", skeleton(2, "doors"));
  const whatError = h("p.field-error", { hidden: true });
  let devices = null, firstBox = null;
  until(follow("devices", (news) => {
    const allowed = news.filter((d) => d.is_guest_accessible && d.integration !== undefined);
    const signature = allowed.map((d) => d.device_id + d.name).join();
    if (devices && signature === devices.signature) return;
    devices = { doors: doorsOf(allowed).filter(({ device }) => !device.is_security_device || session.runsHouse), others: tilesOf(allowed).filter(({ entity }) => ACTIONS[entity.entity_type]), signature, all: doorsOf(news).length };
    paintWhat();
    renew();
  }));

  function paintWhat() {
    const row = (door, drawing, does) => {
      const box = h("input.check", { type: "checkbox", id: id("what"), checked: draft.chosen.has(door.entity.entity_id), onchange: () => {
        draft.chosen[box.checked ? "add" : "delete"](door.entity.entity_id);
        whatError.hidden = true;
        renew();
      } });
      if (!firstBox) firstBox = box;
      return h("li", h("label.what-row", { for: box.id }, drawing, h("span.row-words", h("strong", door.name), h("span.small.third", does)), box));
    };
    firstBox = null;
    const doorRows = devices.doors.map((door) => row(door, glyph(doorState({ ...door, device: { ...door.device, status: "online" }, entity: { ...door.entity, state: door.garage ? "closed" : "locked" } }).drawing), words.does[door.garage ? "garage" : door.entity.entity_type]));
    const otherRows = devices.others.map((tile) => row(tile, h("span.well", icon(drawingOf(tile.entity), "i22")), `${words.does[tile.entity.entity_type]} · ${tile.device.room || ""}`.replace(/ · $/, "")));
    fill(what, doorRows.length ? h("div.panel", h("ul.what", doorRows)) : h("p.third", words.noDoors),
      otherRows.length ? h("details.fold", { open: devices.others.some((t) => draft.chosen.has(t.entity.entity_id)) }, h("summary", words.more), h("div.panel", h("ul.what", otherRows))) : null);
  }

  // When
  const from = momentField(words.from, () => draft.from, (at) => { draft.from = at; renew(); });
  const to = momentField(words.until, () => draft.until, (at) => { draft.until = at; renew(); });
  const lastDay = momentField(words.lastDay, () => draft.lastDay, (at) => { draft.lastDay = at; renew(); }, true);
  editor = scheduleEditor(() => renew());
  const quickChips = h("div.chips.wrap", Object.keys(words.quick).map((name) => h("button.chip", { onclick: () => {
    [draft.from, draft.until] = quickRanges[name]();
    from.show();
    to.show();
    renew();
  } }, words.quick[name])));
  const once = h("div.stack", h("div.two", from.node, to.node), quickChips, zoneDiffers() ? h("p.small.third", words.houseTime) : null);
  const weekly = h("div.stack", { hidden: true }, editor.node);
  const ending = h("div.stack", { hidden: true }, lastDay.node);
  const mode = segments(words.when, [["once", words.once], ["weekly", words.weekly], ["always", words.always]], draft.mode, (value) => {
    draft.mode = value;
    once.hidden = value !== "once";
    weekly.hidden = value !== "weekly";
    ending.hidden = value === "once";
    if (value !== "once") draft.lastDay = now() + (value === "weekly" ? 90 : 365) * DAY;
    lastDay.show();
    if (value !== "once" && draft.uses === 1) often.set(0);
    renew();
  });

  // How often
  const openingsHelp = id("help");
  const often = stepper(words.openings, { value: draft.uses, max: 99, describe: openingsHelp, words: (n) => (n === 0 ? words.noLimit : String(n)), change: (n) => { draft.uses = n; renew(); } });
  const rules = ["ask", "first", "verified", "local"].map((name) => toggle(words[name], { help: words[`${name}Help`], on: false, sends: true, change: (on) => { draft[name] = on; renew(); } }).node);

  // The sentence
  function renew() {
    if (!editor) return;
    const parts_ = describe(draft, chosen(), editor);
    fill(sentence, parts_.map((part) => (part.strong ? h("strong", part.strong) : part)));
    const warnings = warn(draft, chosen(), devices);
    fill(notes, [words.linkNote, ...warnings].map((line, i) => [i ? h("br") : null, i ? h("span.warning", icon("alert", "i14"), line) : line]));
    clearTimeout(speaking);
    speaking = setTimeout(() => setText(polite, sentence.textContent), 800);
  }
  function chosen() {
    return devices ? [...devices.doors, ...devices.others].filter(({ entity }) => draft.chosen.has(entity.entity_id)) : [];
  }

  const said = h("div.form-said", { role: "alert" });
  const button = h("button.button.filled", { type: "submit" }, words.do);
  const form = h("form.invite", { novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    if (button.getAttribute("aria-disabled") === "true") return;
    const list = missing();
    wrong.show(list);
    if (list.length) return;
    fill(said);
    const body = bodyOf(draft, chosen(), editor);
    // Sent twice, or again after a lost connection, it makes one pass.
    const key = keyOf(body);
    during(button, words.doing, async () => {
      const guest = await api("POST", "/guests", { body, key });
      refresh("guests");
      made(guest);
    }, (error) => {
      fill(said, formError(error));
      alarm(text.error(error));
    });
  } },
  wrong.node, name.node,
  h("fieldset", h("legend.field-label", words.what), what, whatError),
  h("fieldset.stack", h("legend.field-label", words.when), mode, once, weekly, ending),
  h("fieldset", h("legend.field-label", words.often),
    h("div.switch-row", h("span.switch-words", h("strong", words.openings), h("span.small.third", { id: openingsHelp }, words.openingsHelp)), often.node), rules),
  h("div.sentence", sentence, notes), polite, said,
  h("div.row-buttons", button, h("a.button.outlined", { href: "/guests" }, text.cancel)));

  function missing() {
    const list = [];
    name.error(draft.name ? null : words.whoMissing);
    if (!draft.name) list.push([words.whoMissing, name.input]);
    whatError.hidden = draft.chosen.size > 0;
    fill(whatError, icon("alert", "i14"), words.whatMissing);
    if (!draft.chosen.size) list.push([words.whatMissing, firstBox || name.input]);
    if (draft.mode === "once") {
      if (from.bad) list.push([words.unreadable, from.input]);
      else if (to.bad) list.push([words.unreadable, to.input]);
      else if (draft.until <= draft.from) {
        to.error(words.untilFirst);
        list.push([words.untilFirst, to.input]);
      }
    } else {
      if (lastDay.bad) list.push([words.unreadable, lastDay.input]);
      if (draft.mode === "weekly") list.push(...editor.problems());
    }
    return list;
  }

  const page = h("div.with-aside.never", h("div", pageHead(words.title, { back: "/guests" }), form));

  function made(guest, isTaken) {
    const title = text.pass[isTaken ? "taken" : "made"](guest.name), head = pageHead(title, { back: "/guests", sub: isTaken ? null : text.pass.next });
    fill(page, h("div.narrow", head, passCard(guest), h("div.row-buttons", h("a.button.outlined", { href: `/guests/${encodeURIComponent(guest.guest_id)}` }, text.pass.toPass), h("button.button.plain", { onclick: () => go("/guests/new", { replace: true }) }, text.pass.again))));
    head.querySelector("h1").focus();
    scrollTo(0, 0);
    say(title);
    if (!isTaken) until(follow("guests", (guests) => {
      const news = !isTaken && guests.find((one) => one.guest_id === guest.guest_id && one.paired_at);
      isTaken = news;
      if (news) made(news, true);
    }));
  }

  renew();
  return { title: words.title, node: page };
}

/** A field for a day and a time: free text, tidied, with the browser's own calendar behind a button. */
function momentField(label, get, set, dayOnly = false) {
  const calendar = h("input.calendar-input", { type: dayOnly ? "date" : "datetime-local", tabindex: "-1", "aria-hidden": "true", onchange: () => {
    const at = parseMoment(calendar.value.replace("T", " "), { dayOnly });
    if (at) take(at);
  } });
  const pick = h("button.icon-button.calendar", { "aria-label": `${label}: ${words.pick}`, title: words.pick, onclick: () => {
    const p = dateParts(get());
    const two = (n) => String(n).padStart(2, "0");
    calendar.value = `${p.year}-${two(p.month)}-${two(p.day)}${dayOnly ? "" : `T${two(p.hour)}:${two(p.minute)}`}`;
    try {
      calendar.showPicker();
    } catch {
      f.input.focus();
    }
  } }, icon("calendar", "i20"));
  const f = field(label, { autocomplete: "off" }, { after: [pick, calendar] });
  f.node.classList.add("moment");
  const self = Object.assign(f, { bad: false, show() {
    f.input.value = formatMoment(get(), { dayOnly });
    self.bad = false;
    f.error(null);
  } });
  function take(at) {
    set(at);
    self.show();
  }
  f.input.addEventListener("input", () => {
    const at = parseMoment(f.input.value, { dayOnly });
    self.bad = !at;
    if (at) {
      f.error(null);
      set(at);
    }
  });
  f.input.addEventListener("change", () => {
    const at = parseMoment(f.input.value, { dayOnly });
    if (at) take(at);
    else f.error(words.unreadable);
  });
  self.show();
  return self;
}

/** The pass as a sentence: strings and `{ strong }` in turn. */
function describe(draft, chosen, editor) {
  const doors = chosen.map(({ name }) => text.sentence.the(name));
  const onlyThings = chosen.length && chosen.every(({ entity }) => entity.entity_type !== "lock" && entity.entity_type !== "cover");
  const said = [{ strong: draft.name || words.someone }, ` ${onlyThings ? words.mayUse : words.mayOpen} `, { strong: doors.length ? listOf(doors) : words.nothing }, " "];
  if (draft.mode === "once") said.push({ strong: span(draft.from, draft.until) });
  else if (draft.mode === "weekly") said.push({ strong: `${schedule(editor.value() || []) || "…"}` }, `, until ${dayInSentence(draft.lastDay)}`);
  else said.push({ strong: words.anyTime(dayInSentence(draft.lastDay)) });
  said.push(", ", { strong: words.times(draft.uses) });
  if (draft.ask) said.push(", ", words.eachAsked);
  said.push(".");
  return said;
}

function span(from, until) {
  if (dayDistance(from) === dayDistance(until)) return `${dayInSentence(from)} from ${clock(from)} to ${clock(until)}`;
  return `from ${dayInSentence(from)}, ${clock(from)}, to ${dayInSentence(until)}, ${clock(until)}`;
}

function warn(draft, chosen, devices) {
  const list = [];
  const end = draft.mode === "once" ? draft.until : draft.lastDay;
  const locks = chosen.filter(({ entity }) => entity.entity_type === "lock" || entity.entity_type === "cover").length;
  if (end < now()) list.push(words.warn.past);
  if (end - now() > 30 * DAY) list.push(words.warn.long);
  if (devices && locks > 1 && locks === devices.all) list.push(words.warn.all);
  if (draft.mode === "always" || (draft.mode === "once" && end - draft.from > 18 * 3600e3)) list.push(words.warn.night);
  if (/\/\/(localhost|127\.|\[::1\])/.test(session.house.public_url || "")) list.push(words.warn.address);
  return list;
}

function bodyOf(draft, chosen, editor) {
  const grants = chosen.map(({ device, entity }) => ({ device_id: device.device_id, entity_id: entity.entity_id, actions: ACTIONS[entity.entity_type] }));
  const iso = (at) => new Date(at).toISOString();
  return {
    name: draft.name, grants, max_uses: draft.uses, requires_approval: draft.first, ask_each_time: draft.ask, local_only: draft.local, presence: draft.verified ? "verified" : "hold",
    ...(draft.mode === "once" ? { starts_at: draft.from > now() ? iso(draft.from) : undefined, expires_at: iso(draft.until) } : { expires_at: iso(draft.lastDay) }),
    ...(draft.mode === "weekly" && { schedule: editor.value() }),
  };
}
