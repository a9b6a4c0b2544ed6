// One device: its control in large, who may use it, history, rules, and technical details.

import { attemptRow, describeEntry } from "../Activity/entryRow.js";
import { doorNames, validityOf } from "../Guests/passRow.js";
import { age, api, attempt, setAttribute, button, choice, facts, field, fill, follow, followConnection, form, h, icon, keyed, newKey, pageHead, setText, read, refresh, section, segments, session, sheet, shortMoment, setStyles, text, timeElement, toggle } from "../Shell/ui.js";
import { movedBy } from "./deviceGrid.js";
import { holdButtons } from "./doorRow.js";
import { SWATCHES, choicesOf, doorsOf, keyOf, kindOf, lastReportOf, may, isNumericSensor, tilesOf } from "./deviceKinds.js";
import { isRanged, temperatureStepper } from "./tile.js";

const words = text.device;

export async function open({ params, until, go, say, nothing }) {
  const asked = Date.now();
  const path = `/devices/${encodeURIComponent(params[0])}`;
  let device = await api("GET", path);
  const title = pageHead(device.name, { back: "/", sub: " ", actions: session.can("modify_settings") && [button("outlined", text.settings.change, change)] });
  const about = h("p.session-lead");
  const controls = h("div.device-controls"), folded = h("div.device-controls"), fold = h("details.fold", h("summary", words.folded), folded), proposals = h("div.proposals"), changes = h("div.proposals"), marks = h("div"), flags = section(words.flags, {}, h("div.panel.padded", session.runsHouse && rules(), marks));
  const rest = h("div");
  const recent = h("ul.rows.tries"), noEvents = h("p.third", { hidden: true }, words.noEvents);
  const who = h("ul.rows"), details = h("div");

  function paint() {
    setText(title.querySelector("h1"), device.name);
    setText(title.querySelector(".third"), device.room || "");
    setText(about, device.user_description || "");
    about.hidden = !device.user_description;
    const doors = doorsOf([device]), settings = tilesOf([device], true);
    const draw = (place, list) => keyed(place, list, keyOf, (one) => make(doors.includes(one)), (row, one) => {
      const element = row.querySelector("door-row, device-tile");
      element.update(one, { by: movedBy(device) });
      setAttribute(row, "data-warm", element.dataset.warm);
      if (row.more) row.more();
      else row.more = more(row, element, one);
    });
    draw(controls, [...doors, ...tilesOf([device])]);
    draw(folded, settings);
    fold.hidden = !settings.length;
    paintMarks();
    paintChanges().catch(() => delete changes.dataset.state);
    fill(details, machineFacts(device));
  }
  paint();
  const page = h("div.narrow.device");
  const all = [title, about, changes, proposals, h("h2.vh", words.now), controls, fold, rest];
  fill(page, all);
  until(follow("devices", (devices, at) => {
    const found = devices.find((one) => one.device_id === device.device_id);
    // The device was removed while the page is open, so its content is no longer true. It may come back.
    if (!found && at > asked && title.isConnected) fill(page, nothing().node);
    if (!found) return;
    device = found;
    if (!page.contains(title)) fill(page, all);
    paint();
  }));
  until(followConnection(paint));

  until(follow("activity", ({ entries }) => {
    const mine = entries.filter((entry) => entry.device_id === device.device_id).slice(0, 8);
    noEvents.hidden = mine.length > 0;
    keyed(recent, mine, (entry) => entry.id, (entry) => attemptRow(describeEntry(entry), read(entry.at), age));
  }));

  if (session.can("invite_guests")) {
    until(follow("guests", (guests) => {
      const passes = guests.filter((g) => ["active", "scheduled", "waiting"].includes(g.status) && g.grants.some((grant) => grant.device_id === device.device_id));
      fill(who, h("li", icon("people"), h("span.row-words", h("strong", device.is_security_device ? words.whoStrict : words.whoResidents))),
        passes.map((g) => h("li", icon("pass"), h("span.row-words", h("a.row-link", { href: `/guests/${encodeURIComponent(g.guest_id)}` }, g.name), h("span.small.third", `${doorNames(g)} · ${validityOf(g)}`)), icon("chevron", "i18"))));
    }));
  }

  const past = h("div");
  const plots = (place, ...which) => {
    const sensors = tilesOf([device], ...which).filter(({ entity }) => isNumericSensor(entity));
    if (sensors.length) import("./history.js").then(({ historySection }) => fill(place, sensors.map((one) => historySection(device, one, Boolean(which[0]) || sensors.length > 1, until)))).catch(() => place.remove());
  };
  plots(past);
  // Diagnostic sensors are plotted only when opened.
  fold.addEventListener("toggle", () => {
    const place = h("div");
    fold.append(place);
    plots(place, true);
  }, { once: true });

  fill(rest, past,
    session.can("invite_guests") ? section(words.who, {}, h("div.panel", who)) : null,
    section(words.recent, { aside: h("a", { href: `/activity?device_id=${encodeURIComponent(device.device_id)}` }, text.home.allActivity) }, h("div.panel", recent), noEvents),
    flags,
    session.can("modify_settings") ? moving() : null,
    h("details.fold.section", h("summary", text.details), details));

  /** Settings and diagnostics load when they are opened. */
  function moving() {
    const place = h("div"), fold = h("details.fold.section", h("summary", words.moves), place);
    fold.addEventListener("toggle", () => fold.open && import("./mergeDevices.js").then(({ showMergeOptions }) => showMergeOptions(place, device, { go, say }), () => {}));
    return fold;
  }

  /** A switch for each entity that may open a way in, and a question if a name suggests it. */
  function paintMarks() {
    const mark = (entity) => async (on) => {
      device = await api(on ? "PUT" : "DELETE", `${path}/entities/${encodeURIComponent(entity.entity_id)}/way-in`, { key: newKey() });
      await refresh("devices");
    };
    const markable = device.entities.filter((one) => one.opens_way_in != null && session.can("modify_settings")), id = (one) => one.entity_id;
    const named = ({ name }, words) => (device.entities.length > 1 ? `${words}: ${name}` : words);
    keyed(marks, markable, id, (one) => {
      const { node, input } = toggle(named(one, words.wayIn), { help: words.wayInHelp, on: one.opens_way_in, change: mark(one) });
      return Object.assign(node, { input });
    }, ({ input }, { opens_way_in: on }) => input.disabled || (input.checked = on));
    flags.hidden = !markable.length && !session.runsHouse;
    keyed(proposals, markable.filter((one) => one.proposes_way_in), id, (one) => {
      const wrong = h("div"), yes = button("tonal", words.wayInYes, () => attempt(yes, wrong, () => mark(one)(true).then(() => marks.rowsByKey.get(one.entity_id).input.focus())));
      return h("div.panel.padded", h("p", named(one, words.wayInAsk)), wrong, h("div.row-buttons", yes));
    });
  }

  /** The ways in that await a decision, how they were announced and how they are, and the decision for all of them. */
  async function paintChanges() {
    const state = session.can("modify_settings") ? device.entities.map((one) => one.way_in_standing).join("") : "";
    if (changes.dataset.state === state) return;
    changes.dataset.state = state;
    const wrong = h("div"), { ways_in: ways, answers } = state ? await api("GET", `${path}/ways-in`) : {};
    fill(changes, state && h("div.panel.padded", ways.filter((one) => one.sentence).map((one) => [
      h("p", h("strong", one.name), " ", one.sentence), facts(one.changes.map(({ member, known, announced }) => [member, `${known || "–"} → ${announced || "–"}`])),
    ]), wrong, h("div.row-buttons", answers.map((what) => {
      const node = button("outlined", words.ways[what], () => attempt(node, wrong, () => api("POST", `${path}/ways-in/${what}`, { body: {}, key: newKey() }).then(() => refresh("devices"))));
      return node;
    }))));
  }

  /** Name, room and description. */
  function change() {
    const was = device;
    let { version } = device;
    sheet(words.change(device.name), (close) => {
      const wrong = h("div"), plain = { autocomplete: "off" };
      const name = field(text.people.name, { ...plain, maxlength: "100", value: was.name }), room = choice(words.facts.room, [["", words.noRoom], ...session.house.rooms.map((one) => [one.room_id, one.name])]), note = field(words.about, { ...plain, maxlength: "500", value: was.user_description || "" });
      room.input.value = was.room_id || "";
      return form(close, words.save, { nodes: [name.node, room.node, note.node, wrong], value() {
        const said = { name: name.value.trim(), room_id: room.value || null, user_description: note.value.trim() || null };
        name.error(said.name ? null : words.nameMissing);
        return said.name ? said : name.input.focus();
      } }, (save, said) => attempt(save, wrong, async () => {
        try {
          device = await api("PATCH", path, { body: Object.fromEntries(Object.entries(said).filter(([key, value]) => value !== was[key])), headers: { "If-Match": `"${version}"` } });
        } catch (error) {
          if (error.status === 412) {
            const { current: now } = error.details;
            ({ version } = error.details);
            error.said = text.changed(error, [[text.people.name, was.name, now.name], [words.facts.room, was.room, now.room], [words.about, was.user_description, now.user_description]]);
          }
          throw error;
        }
        close("");
        say(text.saved);
        paint();
        refresh("devices");
      }));
    });
  }

  function rules() {
    const change = (name) => async (on) => {
      device = { ...device, ...(await api("PATCH", path, { body: { [name]: on }, key: newKey() })) };
      await refresh("devices");
    };
    return [toggle(words.guestFlag, { help: words.guestFlagHelp, on: device.is_guest_accessible, change: change("is_guest_accessible") }).node,
      toggle(words.strictFlag, { help: words.strictFlagHelp, on: device.is_security_device, change: change("is_security_device") }).node];
  }

  return { title: device.name, node: page };
}

const make = (door) => h(`div.${door ? "panel.device-door" : "device-tile"}`, document.createElement(door ? "door-row" : "device-tile"));

/** The controls that a tile has no room for: position, mode, color. The row above shows the result. Returns a function that updates them. */
function more(row, element, { entity, name }) {
  const extra = h("div.device-more");
  const renewals = [];
  const ask = async (action, value, hoped) => {
    await element.send(action, value, hoped);
    // After a refusal the controls show the confirmed state again.
    renewals.forEach((run) => run(element.shown, Boolean(element.wrong)));
  };
  if (may(entity, "set_position")) {
    const input = h("input.range", { type: "range", min: "0", max: "100", "aria-label": text.tile.position(name), oninput: () => input.style.setProperty("--v", `${input.value}%`), onchange: () => ask("set_position", Number(input.value)) });
    renewals.push((shown, back) => {
      if (document.activeElement === input && !back) return;
      input.value = Number((lastReportOf(shown) || shown).attributes.position) || 0;
      input.style.setProperty("--v", `${input.value}%`);
    });
    extra.append(input);
  }
  const kind = kindOf(entity), set = (strip) => {
    extra.append(strip.node);
    renewals.push((shown) => strip.paint(shown, element.allowed));
  };
  if (kind === "climate" && may(entity, "set_temperature")) for (const bound of ["low", "high"]) {
    const strip = temperatureStepper(element, bound), { node, paint } = strip, row = h("div", h("p.small.third", text.tile.bounds[bound]), node);
    set({ node: row, paint(shown, allowed) {
      row.hidden = !isRanged(shown);
      paint(shown, allowed);
    } });
  }
  for (const [action, key] of Object.entries(CHOSEN)) {
    const pairs = may(entity, action) && choicesOf(entity, action), label = text.tile.lists[action];
    if (!pairs || !pairs.length) continue;
    const pick = (value) => ask(action, value, key ? { attributes: { [key]: value } } : { state: value }), of = (shown) => (key ? shown.attributes[key] : shown.state);
    // More than four do not fit side by side on a phone.
    const many = pairs.length > 4 && choice(label, pairs, { onchange: ({ target }) => pick(target.value) });
    const node = many ? many.node : segments(label, pairs, of(entity), pick);
    renewals.push((shown) => many ? (many.input.value = of(shown)) : node.querySelectorAll("input").forEach((radio) => (radio.checked = radio.value === of(shown))));
    extra.append(node);
  }
  if (may(entity, "oscillate")) {
    const { node, input } = toggle(text.verbs.oscillate, { on: false, change: (on) => ask("oscillate", on, { attributes: { oscillating: on } }) });
    renewals.push(({ attributes }) => (input.checked = attributes.oscillating === true));
    extra.append(node);
  }
  if (kind === "alarm_control_panel") {
    const arms = may(entity, "arm") ? choicesOf(entity, "arm").map(([mode, word]) => [mode, button("tonal", text.tile.arm(word), () => ask("arm", mode))]) : [];
    set({ node: h("div.row-buttons", arms.map(([, node]) => node)), paint: ({ state }, allowed) => arms.forEach(([mode, node]) => (node.hidden = !allowed || state === `armed_${mode}`)) });
    set(holdButtons(element, ["disarm", "trigger"].filter((action) => may(entity, action))));
  }
  if (kind === "image") import("../Events/snapshot.js").then(({ snapshot }) => {
    let seen = null;
    const place = h("div");
    extra.append(place);
    const show = ({ state }) => {
      if (state === seen || !Date.parse(state)) return;
      seen = state;
      // The fragment is not sent to the hub: it only makes the address of each picture different.
      const box = snapshot(`/devices/${encodeURIComponent(element.device.device_id)}/entities/${encodeURIComponent(entity.entity_id)}/picture#${state}`, { alt: name });
      fill(place, box);
      box.load();
    };
    renewals.push(show);
    show(element.shown);
  }, () => {});
  if (may(entity, "set_color")) {
    const { nodes, renew } = colours(entity, name, (color) => ask("set_color", color, { attributes: { color } }));
    renewals.push((shown, back) => renew((lastReportOf(shown) || shown).attributes.color, back));
    extra.append(...nodes);
  }
  if (extra.childElementCount || kind === "image") row.append(extra);
  const renew = () => {
    extra.hidden = Boolean(element.denied && entity.actions.length);
    renewals.forEach((run) => run(element.shown));
  };
  renew();
  return renew;
}

/** The choices of a list, and the attribute with the current one; a mode is the state itself. */
const CHOSEN = { set_mode: "", set_preset: "preset_mode", set_effect: "effect", set_direction: "direction" };

/** The color of a lamp: named colors, or numbers. A lamp that reports its abilities is offered only those, within its range of white. */
function colours({ attributes: { supported_color_modes: modes, min_color_temp_kelvin: low = 2000, max_color_temp_kelvin: high = 6500 } }, name, pick) {
  const hued = !modes || modes.includes("hs"), warm = !modes || modes.includes("color_temp");
  const both = () => pick({ hue: hue.value, saturation: full.value });
  const white = modes && modes.includes("white") && dial("white", name, 0, 100, () => pick({ white: white.value }));
  const warmth = dial("temperature", name, low, high, () => pick({ temperature: warmth.value })), hue = dial("hue", name, 0, 360, both), full = dial("saturation", name, 0, 100, both);
  const shown = [...(warm ? [warmth] : []), ...(white ? [white] : []), ...(hued ? [hue, full] : [])];
  return { renew: (color, back) => color && shown.forEach((one) => one.show(color, back)), nodes: [(hued || warm) && h("fieldset.swatches", h("legend.small.third", text.tile.colour), Object.entries(SWATCHES).filter(([, { temperature }]) => (temperature ? warm : hued)).map(([name, value]) => {
    const colour = { warm: "#FFD6A1", neutral: "#FFEEDD", cold: "#E4EEFF" }[name] || `hsl(${value.hue} ${value.saturation}% 60%)`;
    return setStyles(h("button.swatch", { "aria-label": text.tile.swatches[name], title: text.tile.swatches[name], onclick: () => pick(value.temperature ? { temperature: Math.min(high, Math.max(low, value.temperature)) } : value) }), { "--c": colour });
  })), shown.map(({ node }) => node)].flat().filter(Boolean) };
}

/** A slider with a number field. `changed()` is called when the slider is released. */
function dial(key, name, min, max, changed) {
  const label = text.tile.dials[key], put = (value) => {
    slider.value = number.value = value;
    slider.style.setProperty("--v", `${((value - min) / (max - min)) * 100}%`);
  };
  const make = (kind, type) => h(kind, { type, min, max, value: min, "aria-label": `${label}, ${name}`, oninput: ({ target }) => target === slider && put(target.value), onchange: ({ target }) => {
    put(Math.min(max, Math.max(min, Math.round(Number(target.value)))));
    changed();
  } });
  const slider = make(`input.range.${key}`, "range"), number = make("input.input", "number"), node = h("div.dial", h("span.small.third", label), slider, number);
  // If a lamp shines white, the first chosen hue has to be visible.
  put(key === "saturation" ? max : min);
  return { node, get value() {
    return Number(slider.value);
  }, show: (color, back) => key in color && (back || !node.contains(document.activeElement)) && put(Math.round(color[key])) };
}

function machineFacts(device) {
  const f = words.facts;
  return h("div", facts([
    [f.status, words.statuses[device.status] || device.status],
    [f.seen, device.last_seen && timeElement(read(device.last_seen), shortMoment)],
    [f.changed, device.state_changed_at && timeElement(read(device.state_changed_at), shortMoment)],
    [f.integration, text.settings.names[device.integration] || device.integration],
    [f.maker, device.manufacturer], [f.model, device.model],
    [f.count, device.attributes.actuations],
    [f.id, h("span.mono", device.device_id)],
    ...device.entities.map((entity) => [f.entity, h("span", h("span.mono", entity.entity_id), entity.notice ? h("span.small.third.code-note", entity.notice) : null)]),
  ]));
}
