// Everything that happened and was seen, by day, newest on top.

import { api, setAttribute, clock, columnClock, dayDistance, dayInSentence, dayWord, empty, facts, errorPanel, fill, errorDetails, follow, h, icon, id, instantOf, longDay, topicError, now, pageHead, dateParts, setText, read, refresh, session, skeleton, badge, text, timeElement, topic } from "../Shell/ui.js";
import { eventDetail } from "../Events/eventDetail.js";
import { eventRow } from "../Events/eventRow.js";
import { events as seenWords } from "../Events/words.js";
import { nameOf, describeEntry } from "./entryRow.js";
import { isReturn, listPosition } from "./listPosition.js";

const words = text.activity;
const SEEN = ["seen", "person", "package", "vehicle", "animal", "motion"];
const isDoor = (entry) => /(^|\.)(unlock|lock|open|close)$/.test(entry.action || "") && Boolean(entry.device_id);
const TESTS = {
  all: () => true,
  doors: isDoor,
  guests: (entry) => entry.who?.kind === "guest",
  refused: (entry) => entry.result === "refused" || entry.result === "failed",
  devices: (entry) => Boolean(entry.device_id) && !isDoor(entry),
};

export async function open({ until, query, go, say, alarm }) {
  const who = query.get("guest_id"), device = query.get("device_id");
  // Whoever asks about one guest or one device asks what was done; those who may not look at events see none of it.
  const mayLook = session.can("control_devices") && !who && !device;
  const FILTERS = ["all", ...(mayLook ? SEEN : []), "doors", "guests", "refused", "devices"];
  let filter = FILTERS.includes(query.get("show")) ? query.get("show") : "all";
  let looked = { words: mayLook && query.get("q"), day: dayOf(query.get("day")) && query.get("day"), camera: mayLook && query.get("camera") };
  let chosen = null, opened = null, turn = 0, feeds = [], wrong = null;
  const returns = isReturn(location.search);
  listPosition.search = location.search;
  if (!returns) listPosition.heights = new Map();
  const rows = timelineRows(make, listPosition.heights);
  const list = h("div", skeleton(6));
  const detail = h("aside.detail.panel.padded", { hidden: true, "aria-label": words.title });
  const note = h("p.small.third", { hidden: true }, seenWords.windowed);
  const trouble = h("div");
  const more = h("button.button.outlined", { hidden: true, onclick: loadOlder }, words.older);
  const fresh = h("button.chip.fresh", { hidden: true, onclick: () => scrollTo({ top: 0, behavior: "smooth" }) });
  const chips = h("div.chips", { role: "group", "aria-label": words.filterLabel }, FILTERS.map((name) => h("button.chip", { "data-name": name, "aria-pressed": String(name === filter), onclick: () => choose(name) }, words.filters[name] || seenWords.filters[name])));
  const tool = tools({ looked, seen: mayLook, change: (now) => {
    looked = now;
    again();
  } });
  if (mayLook) api("GET", "/cameras").then(({ cameras }) => tool.cameras(cameras), () => {});

  /** Which sources the chosen filter needs, from their beginning. */
  async function begin(had = []) {
    const mine = (turn += 1);
    feeds.forEach((one) => one.stop());
    feeds = [];
    wrong = null;
    fill(trouble);
    trouble.why = null;
    const day = dayOf(looked.day), narrow = looked.words || looked.camera;
    const hears = { changed: () => mine === turn && paint(), failed: (error) => mine === turn && (wrong = error) && paint() };
    const seen = SEEN.includes(filter) || (filter === "all" && mayLook);
    const wanted = [];
    if (seen) wanted.push(seenFeed({ type: filter !== "all" && filter !== "seen" && filter, words: looked.words, camera: looked.camera, day }, { ...hears, had: had[0] }));
    // Words and cameras are of what was seen alone.
    if (!SEEN.includes(filter) && !(filter === "all" && narrow)) {
      try {
        const one = await doneFeed({ guest: who, device, day }, { ...hears, had: had[wanted.length] });
        if (mine !== turn) return one.stop();
        wanted.push(one);
      } catch (error) {
        if (mine !== turn) return wanted.forEach((one) => one.stop());
        wrong = error;
      }
    }
    feeds = wanted;
    // A day that is over is nobody's news: its first page is asked for.
    for (const one of feeds) if (one.still && !one.heard) one.load().then(hears.changed, hears.failed);
    if (ready() || wrong) paint();
  }
  /** Nothing is shown before all sources were heard, so that no row moves into another's place. */
  const ready = () => feeds.length > 0 && (wrong ? feeds.some((one) => one.heard) : feeds.every((one) => one.heard));
  until(() => {
    turn += 1;
    feeds.forEach((one) => one.stop());
    Object.assign(listPosition, { to: location.pathname, scroll: scrollY, feeds: ready() ? feeds.map((one) => one.leave()) : [] });
  });

  const scrolled = () => {
    rows.moved();
    if (scrollY <= 120) feeds.forEach((one) => one.waiting && one.take());
  };
  addEventListener("scroll", scrolled, { passive: true });
  addEventListener("resize", rows.moved);
  until(() => {
    removeEventListener("scroll", scrolled);
    removeEventListener("resize", rows.moved);
  });

  function choose(name) {
    filter = name;
    for (const chip of chips.children) setAttribute(chip, "aria-pressed", String(chip.dataset.name === name));
    again();
  }

  /** Another filter, from its top; the address says which. */
  async function again() {
    const address = new URL(location.href);
    for (const [name, value] of [["show", filter === "all" ? "" : filter], ["q", looked.words], ["day", looked.day], ["camera", looked.camera]]) {
      if (value) address.searchParams.set(name, value);
      else address.searchParams.delete(name);
    }
    history.replaceState(null, "", address);
    listPosition.search = address.search;
    const mine = turn + 1;
    await begin();
    told = () => mine === turn && say(words.events(count()));
    if (ready()) tell();
  }
  /** Said once, when the first of it is there. */
  let told = null;
  function tell() {
    const now = told;
    told = null;
    if (now) now();
  }

  /** What may be shown without a gap: down to where every source that goes on was asked. */
  function entries() {
    const horizon = Math.max(-Infinity, ...feeds.filter((one) => one.heard && one.more).map((one) => one.last));
    const day = dayOf(looked.day);
    return feeds.flatMap((one) => (one.heard ? one.rows() : [])).map((entry) => ({ entry, at: read(entry.at || entry.timestamp), seen: Boolean(entry.incident_id) }))
      .filter(({ entry, at, seen }) => at >= horizon && (!day || (at >= day.from && at < day.to)) && (seen || (TESTS[filter](entry) && (!who || entry.who?.id === who) && (!device || entry.device_id === device))))
      .sort((a, b) => b.at - a.at);
  }
  const count = () => entries().length;

  function paint() {
    if (feeds.length && feeds.every((one) => one.heard)) wrong = null;
    const heard = ready();
    const waiting = feeds.reduce((sum, one) => sum + one.waiting, 0);
    fresh.hidden = !waiting;
    setText(fresh, words.fresh(waiting));
    more.hidden = !feeds.some((one) => one.heard && one.more);
    const troubled = heard && wrong;
    if (troubled !== trouble.why) fill(trouble, troubled && errorPanel(wrong, () => begin(), feeds.some((one) => one.heard && one.endless) ? text.notHeard.activity : seenWords.failed));
    trouble.why = troubled;
    if (!heard) return wrong && fill(list, SEEN.includes(filter) ? h("div.panel.padded", errorPanel(wrong, () => begin(), seenWords.failed)) : topicError("activity", wrong));
    const all = entries();
    if (!all.length) {
      note.hidden = true;
      return fill(list, h("div.panel", nothing()));
    }
    const days = [];
    const incidents = new Map(), commands = new Set();
    for (const { entry, at, seen } of all) {
      const p = dateParts(at);
      const key = `${p.year}-${p.month}-${p.day}`;
      if (!days.length || days[days.length - 1].key !== key) days.push({ key, at, events: 0, rows: [] });
      const day = days[days.length - 1];
      day.events += 1;
      // What belongs together is one row, where its latest stands.
      const together = seen && incidents.get(`${key} ${entry.incident_id}`);
      if (together) together.events.push(entry);
      else {
        // What came of a command stands where it was asked, and the keyboard with it.
        const isLast = entry.command_id && !commands.has(entry.command_id) && commands.add(entry.command_id);
        const row = { key: seen ? `${entry.incident_id} ${key}` : isLast ? entry.command_id : entry.id, at, entry, events: seen ? [entry] : null };
        if (seen) incidents.set(`${key} ${entry.incident_id}`, row);
        day.rows.push(row);
      }
    }
    for (const day of days) {
      day.note = `${Math.abs(dayDistance(day.at)) > 1 ? longDay(day.at).replace(/^\S+ /, "") : longDay(day.at)} · ${seenWords.found(day.events, day === days[days.length - 1] && !more.hidden)}`;
      day.head = () => h("div.day-head", h("h2", dayWord(day.at)), h("span.small.third.day-note", day.note));
      for (const row of day.rows) {
        row.tall = Boolean(row.events && row.events.some((one) => one.has_thumbnail));
        row.signature = `${row.events ? row.events.map((one) => one.id + one.description).join() : row.entry.result}|${row.key === chosen}`;
      }
    }
    if (!rows.node.isConnected) fill(list, rows.node);
    rows.show(days);
    note.hidden = !rows.windowed;
    tell();
  }

  function nothing() {
    const everything = h("button.button.outlined", { onclick: () => {
      if (who || device) return go("/activity");
      tool.clear();
      choose("all");
    } }, words.everything);
    if (looked.words || looked.camera) return empty(seenWords.noneFound, null, everything);
    if (looked.day) return empty(seenWords.noneOn(dayInSentence(dayOf(looked.day).from)), null, everything);
    if (SEEN.includes(filter)) return empty(seenWords.noneFiltered[filter], filter === "seen" && session.can("modify_settings") ? seenWords.noneDo : null, filter === "seen" ? h("a.button.outlined", { href: "/cameras" }, seenWords.addCamera) : everything);
    if (filter === "all" && !who && !device) return empty(words.none);
    const asked = feeds.reduce((sum, one) => sum + one.rows().length, 0);
    return empty(feeds.some((one) => one.more) ? words.noneAmong(asked) : words.noneFiltered[filter] || words.none, null, everything);
  }

  function make(row) {
    return row.events ? eventRow(row, { chosen: row.key === chosen, onclick: (event, shown) => pickSeen(event, row.key, shown) }) : doneRow(row);
  }

  function doneRow({ key, entry }) {
    const { head, line, drawing, tone } = describeEntry(entry);
    return h("li", { "data-tone": tone || null, "data-chosen": key === chosen || null },
      timeElement(read(entry.at), columnClock, false),
      h("span.thread", h("span.well-small", icon(drawing, "i18"))),
      h("div.entry-words", h("button.entry-head", { "data-entry": key, "aria-expanded": String(key === chosen), onclick: () => pick(key, entry) }, head), h("span.small.third.entry-line", line),
        key === chosen && h("div.entry-more", more_(entry))));
  }

  const more_ = (entry) => facts([
    [words.detail.who, [nameOf(entry.who), entry.via && words.via(entry.via.kind, entry.via.name)].filter(Boolean).join(", ")],
    [words.detail.when, timeElement(read(entry.at), (at) => `${longDay(at)}, ${clock(at, { seconds: true })}`, false)],
    [words.detail.device, entry.device_id && h("a", { href: `/devices/${encodeURIComponent(entry.device_id)}` }, entry.device_name || entry.device_id)],
    [words.detail.reason, entry.reason && (text.reasons[entry.reason] || entry.reason.replace(/_/g, " "))],
    [words.detail.from, entry.remote && entry.remote !== "local" && h("span.mono.small", String(entry.remote))],
    [words.detail.command, entry.command_id && h("span.mono.small", entry.command_id)],
  ]);

  function pick(key, entry) {
    leaveDetail();
    chosen = chosen === key ? null : key;
    detail.hidden = !chosen;
    if (chosen) {
      const { head, line, tone } = describeEntry(entry);
      fill(detail, h("div.section-head", h("h2", head), tone === "danger" && badge(words.results[entry.result] || entry.result, "danger")), h("p.small.third", line), more_(entry));
    }
    paint();
  }

  const leaveDetail = () => opened && opened();
  until(leaveDetail);

  /** Beside the list where there is room; else the event has a page of its own. */
  function pickSeen(event, key, shown) {
    listPosition.key = key;
    if (!matchMedia("(min-width: 75em)").matches || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    leaveDetail();
    chosen = key;
    detail.hidden = false;
    const stops = [];
    opened = () => {
      stops.forEach((stop) => stop());
      opened = null;
    };
    const show = (id) => fill(detail, eventDetail(id, { until: (stop) => stops.push(stop), say, alarm, pick: show, removed: () => {
      close();
      const heads = [...list.querySelectorAll(".entry-head")];
      (heads.find((one) => one.dataset.entry !== key) || document.querySelector("h1")).focus();
      feeds.forEach((one) => one.again());
    }, missing: (error) => h("div", h("p", error.status === 404 ? seenWords.gone : text.error(error)), errorDetails(error)) }));
    show(shown.id);
    paint();
  }

  function close() {
    leaveDetail();
    const key = chosen;
    chosen = null;
    detail.hidden = true;
    paint();
    const back = key && list.querySelector(`[data-entry="${CSS.escape(key)}"]`);
    if (back) back.focus();
  }

  async function loadOlder() {
    if (more.getAttribute("aria-busy")) return;
    setAttribute(more, "aria-busy", "true");
    try {
      // The source whose rows end first hides what the others have below.
      const open = feeds.filter((one) => one.heard && one.more);
      const edge = Math.max(...open.map((one) => one.last));
      await Promise.all(open.filter((one) => one.last === edge).map((one) => one.load()));
      fill(more.parentNode, more);
      paint();
      // Where the end is still in sight, it is looked at once more.
      end.disconnect();
      end.observe(more);
    } catch (error) {
      fill(more.parentNode, more, errorPanel(error, loadOlder));
    }
    setAttribute(more, "aria-busy", null);
  }
  // What was seen goes on by itself near the end; what was done waits to be asked for.
  // A browser that is behind tells several moments at once; the last one counts.
  const end = new IntersectionObserver((all) => all.at(-1).isIntersecting && feeds.some((one) => one.more && one.endless) && loadOlder(), { rootMargin: "0px 0px 600px" });
  end.observe(more);
  until(() => end.disconnect());

  // J and K as well as the arrows walk the rows; Esc shuts what stands beside them.
  list.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    const heads = [...list.querySelectorAll(".entry-head")];
    const at = heads.indexOf(document.activeElement);
    if (at < 0 || !heads[at + by]) return;
    event.preventDefault();
    heads[at + by].focus();
  });
  const shut = (event) => event.key === "Escape" && chosen && !document.querySelector("dialog[open]") && close();
  addEventListener("keydown", shut);
  until(() => removeEventListener("keydown", shut));

  if (returns) {
    // On the page first: what is not there has no height.
    requestAnimationFrame(async () => {
      await begin(listPosition.feeds);
      scrollTo(0, listPosition.scroll);
      const row = list.querySelector(`[data-entry="${CSS.escape(listPosition.key)}"]`);
      if (row) row.focus({ preventScroll: true });
    });
  } else begin();
  return { title: words.title, node: h("div.with-detail", h("div", pageHead(words.title, { actions: tool.buttons }), chips, tool.node, fresh, note, trouble, list, h("p.older", more)), detail) };
}

// The rows of the timeline on the page: all of them to three hundred, above that a window of what is seen and a little around it.

const PLAIN = 300, AROUND = 16;

/** Shows days, each `{ key, head(), note, rows: [{ key, signature, tall }] }`; `make(row)` builds a row's `li`, `heights` holds what was measured. */
function timelineRows(make, heights) {
  const above = h("div.gap", { "aria-hidden": "true" }), below = h("div.gap", { "aria-hidden": "true" });
  const node = h("div.days");
  const sections = new Map();
  let days = [], flat = [], frame = 0, rem = 16;

  const heightOf = (one) => heights.get(one.key) || (one.day ? 3.25 : one.row.tall ? 5.5 : 4) * rem;

  function range() {
    if (flat.length <= PLAIN) return [0, flat.length];
    const top = -node.getBoundingClientRect().top, bottom = top + innerHeight;
    let y = 0, first = -1, last = flat.length;
    for (let i = 0; i < flat.length; i += 1) {
      y += heightOf(flat[i]);
      if (first < 0 && y >= top) first = i;
      if (y >= bottom) {
        last = i + 1;
        break;
      }
    }
    return [Math.max(0, (first < 0 ? flat.length : first) - AROUND), Math.min(flat.length, last + AROUND)];
  }

  function paint() {
    frame = 0;
    const [from, to] = range();
    const windowed = flat.length > PLAIN;
    const sum = (a, b) => flat.slice(a, b).reduce((all, one) => all + heightOf(one), 0);
    // The house's policy lets a script set a value, and no markup carry it.
    above.style.setProperty("height", `${sum(0, from)}px`);
    below.style.setProperty("height", `${sum(to, flat.length)}px`);
    const shown = new Map();
    for (const one of flat.slice(from, to)) {
      if (!shown.has(one.of)) shown.set(one.of, []);
      if (one.row) shown.get(one.of).push(one);
    }
    for (const [key, section] of sections) {
      if (![...shown.keys()].some((day) => day.key === key)) {
        section.remove();
        sections.delete(key);
      }
    }
    let place = above.nextSibling;
    for (const [day, rows] of shown) {
      let section = sections.get(day.key);
      if (!section) {
        section = h("section.day", day.head(), h("ol.timeline"));
        section.rows = new Map();
        sections.set(day.key, section);
      }
      const note = section.querySelector(".day-note");
      if (note) setText(note, day.note);
      if (section === place) place = place.nextSibling;
      else node.insertBefore(section, place);
      draw(section, rows, windowed && day.rows.length);
    }
    measure(from, to);
  }

  function draw(section, rows, all) {
    const list = section.lastElementChild;
    const there = new Set(rows.map(({ row }) => row.key));
    for (const [key, li] of section.rows) {
      if (there.has(key)) continue;
      section.rows.delete(key);
      li.remove();
    }
    let place = list.firstElementChild;
    for (const { row, at } of rows) {
      let li = section.rows.get(row.key);
      if (!li || li.dataset.shown !== row.signature) {
        const fresh = make(row);
        fresh.dataset.shown = row.signature;
        section.rows.set(row.key, fresh);
        if (li) {
          const focused = li.contains(document.activeElement);
          if (li === place) place = place.nextElementSibling;
          li.replaceWith(fresh);
          if (focused) fresh.querySelector(".entry-head").focus({ preventScroll: true });
        }
        if (!fresh.isConnected) list.insertBefore(fresh, place);
        li = fresh;
      } else if (li === place) place = place.nextElementSibling;
      else list.insertBefore(li, place);
      setAttribute(li, "aria-setsize", all || null);
      setAttribute(li, "aria-posinset", all ? at : null);
      for (const box of li.querySelectorAll(".shot")) box.load();
    }
  }

  function measure(from, to) {
    if (flat.length <= PLAIN) return;
    for (const one of flat.slice(from, to)) {
      const section = sections.get(one.of.key);
      heights.set(one.key, (one.row ? section.rows.get(one.row.key) : section.firstElementChild).offsetHeight);
    }
  }

  node.append(above, below);
  return {
    node,
    get windowed() {
      return flat.length > PLAIN;
    },
    show(some) {
      days = some;
      rem = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
      flat = days.flatMap((day) => [{ day: true, key: `day ${day.key}`, of: day }, ...day.rows.map((row, index) => ({ row, key: row.key, of: day, at: index + 1 }))]);
      paint();
    },
    /** What is seen may be other rows now. */
    moved() {
      if (flat.length > PLAIN && !frame) frame = requestAnimationFrame(paint);
    },
  };
}

// Looking for something in the timeline: by words, by the day, by the camera.

/** `{ buttons, node, cameras(list) }`; `change()` is called with what is looked for now. `seen` is false where one may not look at events. */
function tools({ looked, seen, change }) {
  const field = (label, control) => h("div.tool", h("label.small.field-label", { for: control.id }, label), control);
  const search = h("input.input", { id: id("search"), type: "search", name: "search", value: looked.words || "", maxlength: "120", autocomplete: "off", spellcheck: "false", enterkeyhint: "search", "aria-describedby": "search-help" });
  const p = dateParts(now());
  const today = `${p.year}-${String(p.month).padStart(2, "0")}-${String(p.day).padStart(2, "0")}`;
  const day = h("input.input", { id: id("day"), type: "date", name: "day", max: today, value: looked.day || "" });
  const camera = h("select.input", { id: id("camera"), name: "camera" }, h("option", { value: "" }, seenWords.anyCamera));
  const cameraField = field(seenWords.camera, camera);
  cameraField.hidden = true;
  const clear = h("button.button.plain", { onclick: () => {
    search.value = day.value = camera.value = "";
    tell();
    if (!node.hidden) (seen ? search : day).focus();
  } }, seenWords.clear);
  const node = h("form.tools", { role: "search", hidden: !looked.words && !looked.day && !looked.camera, onsubmit: (event) => {
    event.preventDefault();
    tell();
  } }, seen && h("div.tool.tool-words", h("label.small.field-label", { for: search.id }, seenWords.search), search, h("span.vh", { id: "search-help" }, seenWords.searchHelp)), field(seenWords.day, day), seen && cameraField, clear);

  let timer = 0, told = JSON.stringify([looked.words || "", looked.day || "", looked.camera || ""]);
  function tell() {
    clearTimeout(timer);
    const value = { words: search.value.trim(), day: day.value, camera: camera.value };
    const signature = JSON.stringify(Object.values(value));
    if (signature === told) return;
    told = signature;
    change(value);
  }
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(tell, 400);
  });
  for (const control of [day, camera]) control.addEventListener("change", tell);

  let openedBy = null;
  const opener = (drawing, label, control) => {
    const button = h("button.icon-button", { "aria-label": label, title: label, "aria-expanded": String(!node.hidden), onclick: () => {
      // A second touch shuts it again, unless something is being looked for.
      node.hidden = openedBy === button && !node.hidden && ![search, day, camera].some((one) => one.value);
      openedBy = button;
      for (const one of buttons) setAttribute(one, "aria-expanded", String(!node.hidden));
      if (!node.hidden) control.focus();
    } }, icon(drawing, "i22"));
    return button;
  };
  const buttons = [opener("calendar", seenWords.openDay, day), seen && opener("search", seenWords.openSearch, search)].filter(Boolean);
  return {
    buttons, node,
    cameras(list) {
      cameraField.hidden = !list.length;
      camera.replaceChildren(h("option", { value: "" }, seenWords.anyCamera), ...list.map((one) => h("option", { value: one.camera_id }, one.name)));
      camera.value = looked.camera || "";
    },
    clear: () => clear.click(),
  };
}

// Where the rows of the timeline come from: what the hub wrote down, and what the cameras and scripts of the house saw.

const query = (pairs) => new URLSearchParams(pairs.filter(([, value]) => value)).toString();

/** A day of the house, "2026-11-21", as its two ends; null where it is none. */
function dayOf(text) {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text || "");
  if (!found) return null;
  const [year, month, day] = found.slice(1).map(Number);
  return { from: instantOf(year, month, day), to: instantOf(year, month, day + 1), text };
}

/** What was seen. The hub narrows it down, so that the oldest of fifty thousand is as near as the latest. */
function seenFeed({ type, words, camera, day }, hears) {
  const asked = query([
    ["limit", "50"], ["smart_detection_type", type], ["q", words], ["camera_id", camera],
    // Both ends are within the span on the wire, and the next day's first moment is not of this one.
    ["start_time", day && new Date(day.from).toISOString()], ["end_time", day && new Date(day.to - 1).toISOString()],
  ]);
  const path = `/mobile/events?${asked}`;
  const form = (body) => ({ entries: body.events, next_before: body.next_cursor || "", total: body.total_count });
  const source = topic(path, 5000, form, (kind, data) => {
    if (kind === "event_removed") listPosition.gone.add(data.event_id);
    return kind === "event" || kind === "event_update" || kind === "event_removed";
  });
  return feed({ source, gone: listPosition.gone, endless: true, page: async (cursor) => form(await api("GET", `${path}&cursor=${encodeURIComponent(cursor)}`)), ...hears });
}

/** What was done. A day that is over is looked for by halves: entries are numbered in order of time. */
async function doneFeed({ guest, device, day }, hears) {
  const asked = query([["guest_id", guest], ["device_id", device]]);
  const path = `/activity?limit=60${asked && `&${asked}`}`;
  const page = (before) => api("GET", `${path}&before=${encodeURIComponent(before)}`);
  if (!day || day.to > Date.now()) {
    // Whose or which device's is for the hub to say: it knows more than the latest few.
    const source = asked ? topic(path, 5000, (body) => body, (type) => type !== "device_update", () => 15000) : "activity";
    return feed({ source, page, floor: day ? day.from : undefined, ...hears });
  }
  return feed({ page, begin: hears.had ? null : await firstAfter(day.to, asked), floor: day.from, ...hears });
}

/** The number before which everything is older than `end`. */
async function firstAfter(end, asked) {
  const latest = async (before) => (await api("GET", `/activity?limit=1${asked && `&${asked}`}${before ? `&before=${before}` : ""}`)).entries[0];
  const top = await latest();
  let low = 1, high = top ? Number(top.id) + 1 : 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const entry = await latest(middle);
    if (!entry || read(entry.at) < end) low = middle;
    else high = Math.min(middle - 1, Number(entry.id));
  }
  return String(low);
}

// One source of the timeline: its latest page, kept level with the house, and the older pages behind it.

/** What was asked, of which it was not told yet how it ended; the hub tells that in its place. */
const isAsked = (entry) => entry.command_id && /^(allowed|asked)$/.test(entry.result);

/**
 * - `source`: the topic of its latest page, `{ entries, next_before }`; none for a day that is over, which begins at `begin`.
 * - `page(before)`: one older page, in the same form.
 * - `endless`: older pages come by themselves near the end.
 * - `had`: what it was left with, by `leave()`.
 * - `floor`: nothing before it is wanted.
 * - `changed()`: called after news; `failed(error)` where nothing was ever heard.
 */
function feed({ source, page, begin, had, endless = false, floor = -Infinity, gone = new Set(), changed, failed }) {
  let latest = null, { entries, older, next } = had || { entries: null, older: [], next: null }, loading = null;
  const timeOf = (entry) => read(entry.at || entry.timestamp);

  function hear(body) {
    latest = body;
    // New rows wait while someone reads further down: nothing moves under the eyes.
    if (!one.waiting || scrollY <= 120) one.take();
    else changed();
  }

  const one = {
    stop() {},
    leave: () => ({ entries, older, next }),
    /** One of a day that is over: it hears no news, and is asked for its first page. */
    still: !source,
    endless,
    get heard() {
      return entries !== null;
    },
    /** How many new ones wait above. How something ended that is shown is no new one. */
    get waiting() {
      if (!entries || !entries.length || !latest) return 0;
      const shown = new Set(entries.map(({ id }) => id)), asked = new Set(entries.filter(isAsked).map((entry) => entry.command_id));
      const at = latest.entries.findIndex(({ id }) => shown.has(id));
      return latest.entries.slice(0, at < 0 ? undefined : at).filter((entry) => !asked.has(entry.command_id)).length;
    },
    get more() {
      return Boolean(next) && !(one.last < floor);
    },
    /** The time of the oldest row that was asked for. */
    get last() {
      const all = older.length ? older : entries || [];
      return all.length ? timeOf(all[all.length - 1]) : Infinity;
    },
    /** Every row once, newest first, and the moment down to which there is no gap. */
    rows() {
      const seen = new Set(gone), told = new Set();
      return [...(entries || []), ...older].filter((entry) => !seen.has(entry.id) && seen.add(entry.id) && !(isAsked(entry) && told.has(entry.command_id)) && told.add(entry.command_id) && timeOf(entry) >= floor);
    },
    /** Shows what was heard last. Of the rows before it those go on that it no longer holds; where it does not reach them, older ones are asked for anew. */
    take() {
      const held = new Set(latest.entries.map((entry) => entry.id));
      if ((older.length || loading) && entries.some((entry) => held.has(entry.id))) older = [...entries.filter((entry) => !held.has(entry.id)), ...older];
      else {
        older = [];
        next = latest.next_before || "";
      }
      entries = latest.entries;
      changed();
    },
    /** One page more; several callers wait for the same one. */
    load() {
      if (!loading) {
        loading = (async () => {
          const body = await page(entries ? next : begin);
          if (!entries) entries = body.entries;
          else older = older.concat(body.entries);
          next = body.next_before || "";
        })().finally(() => (loading = null));
      }
      return loading;
    },
    again: () => (source ? refresh(source) : changed()),
  };
  if (source) one.stop = follow(source, hear, (error) => entries === null && failed(error));
  return one;
}
