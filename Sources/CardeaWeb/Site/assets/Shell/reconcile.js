// Updates content on the page instead of drawing it again.

import { glyph } from "./dom.js";

/** Replaces a glyph, unless it is the same. */
export function swapGlyph(old, name) {
  if (old.dataset.name === name) return old;
  const next = glyph(name);
  next.setAttribute("class", old.getAttribute("class"));
  old.replaceWith(next);
  return next;
}

/** Matches a list to its items: rows are made once, updated after, and moved only when the order changed. Old rows are removed first, so that nothing has to move into their place. */
export function keyed(parent, items, keyOf, make, update) {
  const rows = parent.rowsByKey || (parent.rowsByKey = new Map());
  const there = new Set(items.map(keyOf));
  for (const [key, row] of rows) {
    if (!there.has(key)) {
      rows.delete(key);
      row.remove();
    }
  }
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    let row = rows.get(key);
    if (!row) rows.set(key, (row = make(item)));
    if (update) update(row, item);
    if (row === place) place = place.nextElementSibling;
    else parent.insertBefore(row, place);
  }
}

/** Draws the content again, and returns the focus to the same link. */
export function preserveFocus(node, draw) {
  const href = node.contains(document.activeElement) && document.activeElement.getAttribute("href");
  draw();
  if (href) (node.querySelector(`[href="${CSS.escape(href)}"]`) || document.querySelector("h1")).focus();
}

/** Sets or removes an attribute, only if it changed. */
export function setAttribute(node, name, value) {
  if (value === undefined || value === null || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else {
    const text = value === true ? "" : String(value);
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
}
