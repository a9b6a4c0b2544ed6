// Renewing what is already on the page instead of drawing it again.

import { glyph } from "./h.js";

/** Swaps a glyph for another one, and leaves it alone when it is the same. */
export function swapGlyph(old, name) {
  if (old.dataset.name === name) return old;
  const next = glyph(name);
  next.setAttribute("class", old.getAttribute("class"));
  old.replaceWith(next);
  return next;
}

/** Keeps a list in step with its items: rows are made once, updated after, moved only when the order changed. */
export function keyed(parent, items, keyOf, make, update) {
  const rows = parent.rowsByKey || (parent.rowsByKey = new Map());
  const seen = new Set();
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    seen.add(key);
    let row = rows.get(key);
    if (!row) rows.set(key, (row = make(item)));
    if (update) update(row, item);
    if (row === place) place = place.nextElementSibling;
    else parent.insertBefore(row, place);
  }
  for (const [key, row] of rows) {
    if (!seen.has(key)) {
      rows.delete(key);
      row.remove();
    }
  }
}

/** Sets or drops an attribute, only when it changed. */
export function attr(node, name, value) {
  if (value === undefined || value === null || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else {
    const text = value === true ? "" : String(value);
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
}
