// Renewing what is already on the page instead of drawing it again.

import { glyph } from "./dom.js";

/** Swaps a glyph for another one, and leaves it alone when it is the same. */
export function swapGlyph(old, name) {
  if (old.dataset.name === name) return old;
  const next = glyph(name);
  next.setAttribute("class", old.getAttribute("class"));
  old.replaceWith(next);
  return next;
}

/** Keeps a list in step with its items: rows are made once, updated after, moved only when the order changed. What is gone goes first, so that nothing has to move into its place. */
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

/** Draws what is inside anew, and gives the focus back to the link it was on. */
export function preserveFocus(node, draw) {
  const href = node.contains(document.activeElement) && document.activeElement.getAttribute("href");
  draw();
  if (href) (node.querySelector(`[href="${CSS.escape(href)}"]`) || document.querySelector("h1")).focus();
}

/** Sets or drops an attribute, only when it changed. */
export function setAttribute(node, name, value) {
  if (value === undefined || value === null || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else {
    const text = value === true ? "" : String(value);
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
}
