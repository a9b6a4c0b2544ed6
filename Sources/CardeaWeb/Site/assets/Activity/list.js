// Everything that happened and was seen, by day, newest on top.

import { api, attr, clock, columnClock, dayDistance, dayInSentence, dayWord, empty, facts, failed, fill, folded, h, icon, longDay, notHeard, pageHead, parts, put, read, session, skeleton, tag, text, timeElement } from "../Shell/kit.js";
import { eventDetail } from "../Events/detail.js";
import { seenRow } from "../Events/row.js";
import { events as seenWords } from "../Events/words.js";
import { nameOf, wordsOf } from "./entry.js";
import { isReturn, place } from "./place.js";
import { timelineRows } from "./rows.js";
import { dayOf, doneFeed, seenFeed } from "./sources.js";
import { tools } from "./tools.js";

const words = text.activity;
const SEEN = ["seen", "person", "package", "vehicle", "animal", "motion"];
const isDoor = (entry) => /(^|\.)(unlock|lock|open|close)$/.test(entry.action || "") && Boolean(entry.device_id);
const TESTS = {
  all: () => true,
  doors: isDoor,
  guests: (entry) => entry.who && entry.who.kind === "guest",
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
  place.search = location.search;
  if (!returns) place.heights = new Map();
  const rows = timelineRows(make, place.heights);
  const list = h("div", skeleton(6));
  const detail = h("aside.detail.panel.padded", { hidden: true, "aria-label": words.title });
  const note = h("p.small.third", { hidden: true }, seenWords.windowed);
  const trouble = h("div");
  const more = h("button.button.outlined", { type: "button", hidden: true, onclick: loadOlder }, words.older);
  const fresh = h("button.chip.fresh", { type: "button", hidden: true, onclick: () => scrollTo({ top: 0, behavior: "smooth" }) });
  const chips = h("div.chips", { role: "group", "aria-label": words.filterLabel }, FILTERS.map((name) => h("button.chip", { type: "button", "data-name": name, "aria-pressed": String(name === filter), onclick: () => choose(name) }, words.filters[name] || seenWords.filters[name])));
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
    Object.assign(place, { to: location.pathname, scroll: scrollY, feeds: ready() ? feeds.map((one) => one.leave()) : [] });
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
    for (const chip of chips.children) attr(chip, "aria-pressed", String(chip.dataset.name === name));
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
    place.search = address.search;
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
      .filter(({ entry, at, seen }) => at >= horizon && (!day || (at >= day.from && at < day.to)) && (seen || (TESTS[filter](entry) && (!who || (entry.who && entry.who.id === who)) && (!device || entry.device_id === device))))
      .sort((a, b) => b.at - a.at);
  }
  const count = () => entries().length;

  function paint() {
    if (feeds.length && feeds.every((one) => one.heard)) wrong = null;
    const heard = ready();
    const waiting = feeds.reduce((sum, one) => sum + one.waiting, 0);
    fresh.hidden = !waiting;
    put(fresh, words.fresh(waiting));
    more.hidden = !feeds.some((one) => one.heard && one.more);
    const troubled = heard && wrong;
    if (troubled !== trouble.why) fill(trouble, troubled && failed(wrong, () => begin(), feeds.some((one) => one.heard && one.endless) ? text.notHeard.activity : seenWords.failed));
    trouble.why = troubled;
    if (!heard) return wrong && fill(list, SEEN.includes(filter) ? h("div.panel.padded", failed(wrong, () => begin(), seenWords.failed)) : notHeard("activity", wrong));
    const all = entries();
    if (!all.length) {
      note.hidden = true;
      return fill(list, h("div.panel", nothing()));
    }
    const days = [];
    const incidents = new Map(), commands = new Set();
    for (const { entry, at, seen } of all) {
      const p = parts(at);
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
    const everything = h("button.button.outlined", { type: "button", onclick: () => {
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
    return row.events ? seenRow(row, { chosen: row.key === chosen, onclick: (event, shown) => pickSeen(event, row.key, shown) }) : doneRow(row);
  }

  function doneRow({ key, entry }) {
    const { head, line, drawing, tone } = wordsOf(entry);
    return h("li", { "data-tone": tone || null, "data-chosen": key === chosen || null },
      timeElement(read(entry.at), columnClock, false),
      h("span.thread", h("span.well-small", icon(drawing, "i18"))),
      h("div.entry-words", h("button.entry-head", { type: "button", "data-entry": key, "aria-expanded": String(key === chosen), onclick: () => pick(key, entry) }, head), h("span.small.third.entry-line", line),
        key === chosen && h("div.entry-more", more_(entry))));
  }

  const more_ = (entry) => facts([
    [words.detail.who, nameOf(entry.who)],
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
      const { head, line, tone } = wordsOf(entry);
      fill(detail, h("div.section-head", h("h2", head), tone === "danger" && tag(words.results[entry.result] || entry.result, "danger")), h("p.small.third", line), more_(entry));
    }
    paint();
  }

  const leaveDetail = () => opened && opened();
  until(leaveDetail);

  /** Beside the list where there is room; else the event has a page of its own. */
  function pickSeen(event, key, shown) {
    place.key = key;
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
    }, missing: (error) => h("div", h("p", error.status === 404 ? seenWords.gone : text.error(error)), folded(error)) }));
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
    attr(more, "aria-busy", "true");
    try {
      // The source whose rows end first hides what the others have below.
      const open = feeds.filter((one) => one.heard && one.more);
      const edge = Math.max(...open.map((one) => one.last));
      await Promise.all(open.filter((one) => one.last === edge).map((one) => one.load()));
      fill(more.parentNode, more);
      paint();
      // Where the end is still in sight, it is looked at once more.
      end.unobserve(more);
      end.observe(more);
    } catch (error) {
      fill(more.parentNode, more, failed(error, loadOlder));
    }
    attr(more, "aria-busy", null);
  }
  // What was seen goes on by itself near the end; what was done waits to be asked for.
  const end = new IntersectionObserver(([edge]) => edge.isIntersecting && !more.hidden && feeds.some((one) => one.more && one.endless) && loadOlder(), { rootMargin: "0px 0px 600px" });
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
      await begin(place.feeds);
      scrollTo(0, place.scroll);
      const row = list.querySelector(`[data-entry="${CSS.escape(place.key)}"]`);
      if (row) row.focus({ preventScroll: true });
    });
  } else begin();
  return { title: words.title, node: h("div.with-detail", h("div", pageHead(words.title, { actions: tool.buttons }), chips, tool.node, fresh, note, trouble, list, h("p.older", more)), detail) };
}
