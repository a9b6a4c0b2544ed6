// The DOM, built by hand: no templates, no innerHTML, so that no foreign text can become markup.

let named = 0;

/** Builds an element: `h("button.button.filled", { onclick: save }, "Save")`. A button submits no form unless its type says so. */
export function h(tag, props, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  if (name === "button") node.type = name;
  if (classes.length) node.className = classes.join(" ");
  if (!props || props.constructor !== Object) add(node, [props]);
  else for (const [key, value] of Object.entries(props)) set(node, key, value);
  add(node, children);
  return node;
}

const isNothing = (value) => value === undefined || value === null || value === false;

function set(node, key, value) {
  if (isNothing(value)) return;
  if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
  else if (key === "value" || key === "checked" || key === "disabled") node[key] = value;
  else node.setAttribute(key, value === true ? "" : value);
}

function add(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) add(node, child);
    else if (!isNothing(child)) node.append(child);
  }
}

/** Replaces the content. */
export function fill(node, ...children) {
  node.textContent = "";
  add(node, children);
  return node;
}

/** Sets a text, only if it changed. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** A unique id, for labels and descriptions. */
export const id = (prefix) => `${prefix}-${(named += 1)}`;

/** The same for SVG elements: `svg("path", { d })`. */
export function svg(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

const drawing = (name, attributes) => svg("svg", { "aria-hidden": "true", ...attributes }, svg("use", { href: `/assets/icons.svg#${name}` }));

/** An icon of the sprite on the 24 grid; always decoration, beside words. */
export const icon = (name, size = "") => drawing(name, { class: `icon ${size}` });

/** A door state on the 40 grid. Only the moving one has an animated part, which is drawn here and not in the sprite. */
export function glyph(name, className = "") {
  const node = drawing(name, { class: `glyph ${className}`, viewBox: "0 0 40 40", "data-name": name });
  if (name === "d-moving") node.append(svg("path", { class: "glyph-bolt", d: "M18.2 21.3h5v2.4h-5z", fill: "currentColor" }));
  return node;
}
