// Everything that happened, by day, newest on top.

import { fill, h, icon, put } from "../Shell/h.js";
import { attr } from "../Shell/keyed.js";
import { api } from "../Shell/api.js";
import { follow, topic } from "../Shell/live.js";
import { empty, facts, failed, notHeard, pageHead, skeleton, tag } from "../Shell/parts.js";
import { text } from "../Shell/text.js";
import { columnClock, timeElement } from "../Shell/ages.js";
import { clock, dayDistance, dayWord, longDay, parts, read } from "../Shell/time.js";
import { nameOf, wordsOf } from "./entry.js";

const words = text.activity;
const FILTERS = ["all", "doors", "guests", "refused", "devices"];
const isDoor = (entry) => /(^|\.)(unlock|lock|open|close)$/.test(entry.action || "") && Boolean(entry.device_id);
const TESTS = {
  all: () => true,
  doors: isDoor,
  guests: (entry) => entry.who && entry.who.kind === "guest",
  refused: (entry) => entry.result === "refused" || entry.result === "failed" || entry.result === "rejected",
  devices: (entry) => Boolean(entry.device_id) && !isDoor(entry),
};

export async function open({ until, query, go, say }) {
  let filter = FILTERS.includes(query.get("show")) ? query.get("show") : "all";
  const who = query.get("guest_id"), device = query.get("device_id");
  let entries = null, latest = null, next = null, older = [], loading = false, chosen = null, drawn = "";
  const list = h("div.days", skeleton(6));
  const detail = h("aside.detail.panel.padded", { hidden: true, "aria-live": "off" });
  const more = h("button.button.outlined", { type: "button", hidden: true, onclick: loadOlder }, words.older);
  const fresh = h("button.chip.fresh", { type: "button", hidden: true, onclick: () => scrollTo({ top: 0, behavior: "smooth" }) });
  const chips = h("div.chips", { role: "group", "aria-label": words.filterLabel }, FILTERS.map((name) => h("button.chip", { type: "button", "data-name": name, "aria-pressed": String(name === filter), onclick: () => choose(name) }, words.filters[name])));

  // Whose or which device's is for the hub to say: it knows more than the latest few.
  const asked = new URLSearchParams([["guest_id", who], ["device_id", device]].filter(([, id]) => id)).toString();
  const path = `/activity?limit=60${asked && `&${asked}`}`;
  const source = asked ? topic(path, 5000, (body) => body, (type) => type !== "device_update", () => 15000) : "activity";
  until(follow(source, (body) => {
    latest = body;
    // New rows wait while someone reads further down: nothing moves under the eyes.
    const top = entries && entries[0], first = body.entries[0];
    if (top && first && scrollY > 120 && top.id !== first.id) {
      const at = body.entries.findIndex((entry) => entry.id === top.id);
      fresh.hidden = false;
      put(fresh, words.fresh(at < 0 ? body.entries.length : Math.max(1, at)));
      return;
    }
    take();
  }, (error) => entries === null && fill(list, notHeard("activity", error))));
  const scrolled = () => scrollY <= 120 && !fresh.hidden && take();

  /** Shows what was heard last. Of the rows before it those go on that it no longer holds; where it does not reach them, older ones are asked for anew. */
  function take() {
    const held = new Set(latest.entries.map((entry) => entry.id));
    if ((older.length || loading) && entries.some((entry) => held.has(entry.id))) older = [...entries.filter((entry) => !held.has(entry.id)), ...older];
    else {
      older = [];
      next = latest.next_before || "";
    }
    entries = latest.entries;
    fresh.hidden = true;
    paint();
  }
  addEventListener("scroll", scrolled, { passive: true });
  until(() => removeEventListener("scroll", scrolled));

  function choose(name) {
    filter = name;
    for (const chip of chips.children) attr(chip, "aria-pressed", String(chip.dataset.name === name));
    const address = new URL(location.href);
    if (name === "all") address.searchParams.delete("show");
    else address.searchParams.set("show", name);
    history.replaceState(null, "", address);
    paint();
    say(words.events(shown().length));
  }

  function shown() {
    const seen = new Set();
    return [...entries, ...older].filter((entry) => {
      if (seen.has(entry.id)) return false;
      seen.add(entry.id);
      return TESTS[filter](entry) && (!who || (entry.who && entry.who.id === who)) && (!device || entry.device_id === device);
    });
  }

  function paint() {
    const rows = shown();
    const signature = `${filter}|${rows.map((e) => e.id + e.result).join()}|${chosen}`;
    if (signature === drawn) return;
    drawn = signature;
    more.hidden = !next;
    if (!rows.length) {
      return fill(list, filter === "all" && !who && !device
        ? h("div.panel", empty(words.none))
        : h("div.panel", empty(next ? words.noneAmong(entries.length + older.length) : words.noneFiltered[filter] || words.none, null, h("button.button.outlined", { type: "button", onclick: () => (who || device ? go("/activity") : choose("all")) }, words.everything))));
    }
    const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.entry : null;
    const days = [];
    for (const entry of rows) {
      const p = parts(read(entry.at));
      const key = `${p.year}-${p.month}-${p.day}`;
      if (!days.length || days[days.length - 1].key !== key) days.push({ key, at: read(entry.at), entries: [] });
      days[days.length - 1].entries.push(entry);
    }
    fill(list, days.map((day) => h("section.day",
      h("div.day-head", h("h2", dayWord(day.at)), h("span.small.third", `${Math.abs(dayDistance(day.at)) > 1 ? longDay(day.at).replace(/^\S+ /, "") : longDay(day.at)} · ${words.events(day.entries.length)}`)),
      h("ol.timeline", day.entries.map(row)))));
    if (focused) {
      const again = list.querySelector(`[data-entry="${CSS.escape(focused)}"]`);
      if (again) again.focus();
    }
  }

  function row(entry) {
    const { head, line, drawing, tone } = wordsOf(entry);
    return h("li", { "data-tone": tone || null, "data-chosen": entry.id === chosen || null },
      timeElement(read(entry.at), columnClock, false),
      h("span.thread", h("span.well-small", icon(drawing, "i18"))),
      h("div.entry-words", h("button.entry-head", { type: "button", "data-entry": entry.id, "aria-expanded": String(entry.id === chosen), onclick: () => pick(entry) }, head), h("span.small.third.entry-line", line),
        entry.id === chosen && h("div.entry-more", more_(entry))));
  }

  const more_ = (entry) => facts([
    [words.detail.who, nameOf(entry.who)],
    [words.detail.when, timeElement(read(entry.at), (at) => `${longDay(at)}, ${clock(at, { seconds: true })}`, false)],
    [words.detail.device, entry.device_id && h("a", { href: `/devices/${encodeURIComponent(entry.device_id)}` }, entry.device_name || entry.device_id)],
    [words.detail.reason, entry.reason && (text.reasons[entry.reason] || entry.reason)],
    [words.detail.from, entry.remote && entry.remote !== "local" && h("span.mono.small", String(entry.remote))],
    [words.detail.command, entry.command_id && h("span.mono.small", entry.command_id)],
  ]);

  function pick(entry) {
    chosen = chosen === entry.id ? null : entry.id;
    detail.hidden = !chosen;
    if (chosen) {
      const { head, line, tone } = wordsOf(entry);
      fill(detail, h("div.section-head", h("h2", head), tone === "danger" && tag(words.results[entry.result] || entry.result, "danger")), h("p.small.third", line), more_(entry));
    }
    paint();
  }

  async function loadOlder() {
    if (loading) return;
    loading = true;
    try {
      const body = await api("GET", `${path}&before=${encodeURIComponent(next)}`);
      older = older.concat(body.entries);
      next = body.next_before || "";
      paint();
    } catch (error) {
      more.after(failed(error, loadOlder));
    }
    loading = false;
  }

  // J and K as well as the arrows walk the rows.
  list.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    const heads = [...list.querySelectorAll(".entry-head")];
    const at = heads.indexOf(document.activeElement);
    if (at < 0 || !heads[at + by]) return;
    event.preventDefault();
    heads[at + by].focus();
  });

  return { title: words.title, node: h("div.with-detail", h("div", pageHead(words.title), chips, fresh, list, h("p.older", more)), detail) };
}
