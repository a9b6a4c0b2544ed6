// One source of the timeline: its latest page, kept level with the house, and the older pages behind it.

import { follow, read, refresh } from "../Shell/kit.js";

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
export function feed({ source, page, begin, had, endless = false, floor = -Infinity, gone = new Set(), changed, failed }) {
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
