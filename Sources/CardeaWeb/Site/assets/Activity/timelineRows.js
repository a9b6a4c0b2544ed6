// The rows of the timeline on the page: all of them up to 300, above that only those in view and a few around them.

import { setAttribute, h, setText } from "../Shell/ui.js";

const PLAIN = 300, AROUND = 16;

/** Shows days, each `{ key, head(), note, rows: [{ key, signature, tall }] }`; `make(row)` builds a row's `li`, `heights` holds what was measured. */
export function timelineRows(make, heights) {
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
    // The content security policy lets scripts set styles, but not markup.
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
    /** Repaints after scrolling, when other rows may be in view. */
    moved() {
      if (flat.length > PLAIN && !frame) frame = requestAnimationFrame(paint);
    },
  };
}
