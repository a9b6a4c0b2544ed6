// One source of the timeline: its latest page, kept up to date, and the older pages behind it.

import { follow, read, refresh } from "../Shell/ui.js";

/** A requested command without a result yet. The entry with its result replaces this one. */
const isAsked = (entry) => entry.command_id && /^(allowed|asked)$/.test(entry.result);

/**
 * - `source`: the topic of its latest page, `{ entries, next_before }`; absent for a past day, which begins at `begin`.
 * - `page(before)`: one older page, in the same form.
 * - `endless`: older pages load by themselves near the end.
 * - `had`: its earlier state, from `leave()`.
 * - `floor`: entries before it are left out.
 * - `changed()`: called after updates; `failed(error)` if nothing was ever received.
 */
export function feed({ source, page, begin, had, endless = false, floor = -Infinity, gone = new Set(), changed, failed }) {
  let latest = null, { entries, older, next } = had || { entries: null, older: [], next: null }, loading = null;
  const timeOf = (entry) => read(entry.at || entry.timestamp);

  function hear(body) {
    latest = body;
    // New rows wait while someone reads further down, so that rows do not move.
    if (!one.waiting || scrollY <= 120) one.take();
    else changed();
  }

  const one = {
    stop() {},
    leave: () => ({ entries, older, next }),
    /** True for a past day: it has no updates, and its first page is loaded on request. */
    still: !source,
    endless,
    get heard() {
      return entries !== null;
    },
    /** The number of new entries above. The result of an entry on the page does not count as new. */
    get waiting() {
      if (!entries || !entries.length || !latest) return 0;
      const shown = new Set(entries.map(({ id }) => id)), asked = new Set(entries.filter(isAsked).map((entry) => entry.command_id));
      const at = latest.entries.findIndex(({ id }) => shown.has(id));
      return latest.entries.slice(0, at < 0 ? undefined : at).filter((entry) => !asked.has(entry.command_id)).length;
    },
    get more() {
      return Boolean(next) && !(one.last < floor);
    },
    /** The time of the oldest loaded row. */
    get last() {
      const all = older.length ? older : entries || [];
      return all.length ? timeOf(all[all.length - 1]) : Infinity;
    },
    /** Every row once, newest first, without gaps. */
    rows() {
      const seen = new Set(gone), told = new Set();
      return [...(entries || []), ...older].filter((entry) => !seen.has(entry.id) && seen.add(entry.id) && !(isAsked(entry) && told.has(entry.command_id)) && told.add(entry.command_id) && timeOf(entry) >= floor);
    },
    /** Shows the latest page. Rows that it no longer holds move to the older ones; if the two do not meet, older ones are loaded again. */
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
