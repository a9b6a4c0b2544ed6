// The timeline: activity and camera events by day, newest first.

import { api, setAttribute, clock, columnClock, dayDistance, dayInSentence, dayWord, empty, facts, errorPanel, fill, errorDetails, h, icon, longDay, topicError, pageHead, dateParts, setText, read, session, skeleton, badge, text, timeElement } from "../Shell/ui.js";
import { eventDetail } from "../Events/eventDetail.js";
import { eventRow } from "../Events/eventRow.js";
import { events as eventWords } from "../Events/words.js";
import { nameOf, describeEntry } from "./entryRow.js";
import { isReturn, listPosition } from "./listPosition.js";
import { timelineRows } from "./timelineRows.js";
import { timelineSearch } from "./timelineSearch.js";
import { dayOf, activityFeed, eventFeed } from "./timelineSources.js";

const words = text.activity;
const EVENT_FILTERS = ["seen", "person", "package", "vehicle", "animal", "motion"];
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
  // With a guest or a device chosen the list shows only activity; people who may not see events see none.
  const mayLook = session.can("control_devices") && !who && !device;
  const FILTERS = ["all", ...(mayLook ? EVENT_FILTERS : []), "doors", "guests", "refused", "devices"];
  let filter = FILTERS.includes(query.get("show")) ? query.get("show") : "all";
  let looked = { words: mayLook && query.get("q"), day: dayOf(query.get("day")) && query.get("day"), camera: mayLook && query.get("camera") };
  let chosen = null, opened = null, turn = 0, feeds = [], wrong = null;
  const returns = isReturn(location.search);
  listPosition.search = location.search;
  if (!returns) listPosition.heights = new Map();
  const rows = timelineRows(make, listPosition.heights);
  const list = h("div", skeleton(6));
  const detail = h("aside.detail.panel.padded", { hidden: true, "aria-label": words.title });
  const note = h("p.small.third", { hidden: true }, eventWords.windowed);
  const trouble = h("div");
  const more = h("button.button.outlined", { hidden: true, onclick: loadOlder }, words.older);
  const fresh = h("button.chip.fresh", { hidden: true, onclick: () => scrollTo({ top: 0, behavior: "smooth" }) });
  const chips = h("div.chips", { role: "group", "aria-label": words.filterLabel }, FILTERS.map((name) => h("button.chip", { "data-name": name, "aria-pressed": String(name === filter), onclick: () => choose(name) }, words.filters[name] || eventWords.filters[name])));
  const searchTools = timelineSearch({ looked, seen: mayLook, change: (now) => {
    looked = now;
    again();
  } });
  if (mayLook) api("GET", "/cameras").then(({ cameras }) => searchTools.cameras(cameras), () => {});

  /** Starts the sources that the chosen filter needs. */
  async function begin(had = []) {
    const mine = (turn += 1);
    feeds.forEach((one) => one.stop());
    feeds = [];
    wrong = null;
    fill(trouble);
    trouble.why = null;
    const day = dayOf(looked.day), narrow = looked.words || looked.camera;
    const hears = { changed: () => mine === turn && paint(), failed: (error) => mine === turn && (wrong = error) && paint() };
    const seen = EVENT_FILTERS.includes(filter) || (filter === "all" && mayLook);
    const wanted = [];
    if (seen) wanted.push(eventFeed({ type: filter !== "all" && filter !== "seen" && filter, words: looked.words, camera: looked.camera, day }, { ...hears, had: had[0] }));
    // Words and cameras filter camera events only.
    if (!EVENT_FILTERS.includes(filter) && !(filter === "all" && narrow)) {
      try {
        const one = await activityFeed({ guest: who, device, day }, { ...hears, had: had[wanted.length] });
        if (mine !== turn) return one.stop();
        wanted.push(one);
      } catch (error) {
        if (mine !== turn) return wanted.forEach((one) => one.stop());
        wrong = error;
      }
    }
    feeds = wanted;
    // A past day has no updates, so its first page is loaded here.
    for (const one of feeds) if (one.still && !one.heard) one.load().then(hears.changed, hears.failed);
    if (ready() || wrong) paint();
  }
  /** Waits for all sources, so that rows do not move when a later one arrives. */
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

  /** Applies another filter from the top, and writes it to the address. */
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
  /** Announced once, with the first entries. */
  let told = null;
  function tell() {
    const now = told;
    told = null;
    if (now) now();
  }

  /** The entries that can be shown without a gap: down to the oldest moment that all sources have reached. */
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
    if (troubled !== trouble.why) fill(trouble, troubled && errorPanel(wrong, () => begin(), feeds.some((one) => one.heard && one.endless) ? text.notHeard.activity : eventWords.failed));
    trouble.why = troubled;
    if (!heard) return wrong && fill(list, EVENT_FILTERS.includes(filter) ? h("div.panel.padded", errorPanel(wrong, () => begin(), eventWords.failed)) : topicError("activity", wrong));
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
      // Events of one incident are one row, at the place of the latest.
      const together = seen && incidents.get(`${key} ${entry.incident_id}`);
      if (together) together.events.push(entry);
      else {
        // The result of a command replaces its request, and keeps the keyboard focus.
        const isLast = entry.command_id && !commands.has(entry.command_id) && commands.add(entry.command_id);
        const row = { key: seen ? `${entry.incident_id} ${key}` : isLast ? entry.command_id : entry.id, at, entry, events: seen ? [entry] : null };
        if (seen) incidents.set(`${key} ${entry.incident_id}`, row);
        day.rows.push(row);
      }
    }
    for (const day of days) {
      day.note = `${Math.abs(dayDistance(day.at)) > 1 ? longDay(day.at).replace(/^\S+ /, "") : longDay(day.at)} · ${eventWords.found(day.events, day === days[days.length - 1] && !more.hidden)}`;
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
      searchTools.clear();
      choose("all");
    } }, words.everything);
    if (looked.words || looked.camera) return empty(eventWords.noneFound, null, everything);
    if (looked.day) return empty(eventWords.noneOn(dayInSentence(dayOf(looked.day).from)), null, everything);
    if (EVENT_FILTERS.includes(filter)) return empty(eventWords.noneFiltered[filter], filter === "seen" && session.can("modify_settings") ? eventWords.noneDo : null, filter === "seen" ? h("a.button.outlined", { href: "/cameras" }, eventWords.addCamera) : everything);
    if (filter === "all" && !who && !device) return empty(words.none);
    const asked = feeds.reduce((sum, one) => sum + one.rows().length, 0);
    return empty(feeds.some((one) => one.more) ? words.noneAmong(asked) : words.noneFiltered[filter] || words.none, null, everything);
  }

  function make(row) {
    return row.events ? eventRow(row, { chosen: row.key === chosen, onclick: (event, shown) => openEvent(event, row.key, shown) }) : activityRow(row);
  }

  function activityRow({ key, entry }) {
    const { head, line, drawing, tone } = describeEntry(entry);
    return h("li", { "data-tone": tone || null, "data-chosen": key === chosen || null },
      timeElement(read(entry.at), columnClock, false),
      h("span.thread", h("span.well-small", icon(drawing, "i18"))),
      h("div.entry-words", h("button.entry-head", { "data-entry": key, "aria-expanded": String(key === chosen), onclick: () => pick(key, entry) }, head), h("span.small.third.entry-line", line),
        key === chosen && h("div.entry-more", entryFacts(entry))));
  }

  const entryFacts = (entry) => facts([
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
      fill(detail, h("div.section-head", h("h2", head), tone === "danger" && badge(words.results[entry.result] || entry.result, "danger")), h("p.small.third", line), entryFacts(entry));
    }
    paint();
  }

  const leaveDetail = () => opened && opened();
  until(leaveDetail);

  /** Beside the list if there is room; otherwise the event has its own page. */
  function openEvent(event, key, shown) {
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
    }, missing: (error) => h("div", h("p", error.status === 404 ? eventWords.gone : text.error(error)), errorDetails(error)) }));
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
      // The source that ends first hides the older rows of the others.
      const open = feeds.filter((one) => one.heard && one.more);
      const edge = Math.max(...open.map((one) => one.last));
      await Promise.all(open.filter((one) => one.last === edge).map((one) => one.load()));
      fill(more.parentNode, more);
      paint();
      // If the end is still in view, the observer has to fire again.
      end.disconnect();
      end.observe(more);
    } catch (error) {
      fill(more.parentNode, more, errorPanel(error, loadOlder));
    }
    setAttribute(more, "aria-busy", null);
  }
  // Camera events load by themselves near the end; activity waits for the button.
  // A slow browser reports several entries at once; the last one counts.
  const end = new IntersectionObserver((all) => all.at(-1).isIntersecting && feeds.some((one) => one.more && one.endless) && loadOlder(), { rootMargin: "0px 0px 600px" });
  end.observe(more);
  until(() => end.disconnect());

  // J, K and the arrows move through the rows; Escape closes the details beside them.
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
    // The rows have a height only when they are on the page.
    requestAnimationFrame(async () => {
      await begin(listPosition.feeds);
      scrollTo(0, listPosition.scroll);
      const row = list.querySelector(`[data-entry="${CSS.escape(listPosition.key)}"]`);
      if (row) row.focus({ preventScroll: true });
    });
  } else begin();
  return { title: words.title, node: h("div.with-detail", h("div", pageHead(words.title, { actions: searchTools.buttons }), chips, searchTools.node, fresh, note, trouble, list, h("p.older", more)), detail) };
}
