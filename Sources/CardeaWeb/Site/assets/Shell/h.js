// The DOM, built by hand: no templates, no innerHTML, so nothing a stranger wrote can become markup.

const SVG = "http://www.w3.org/2000/svg";
let named = 0;

/** Builds an element: `h("button.button.filled", { type: "button", onclick: save }, "Save")`. */
export function h(tag, props, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name || "div");
  if (classes.length) node.className = classes.join(" ");
  if (props === null || props === undefined || typeof props !== "object" || props instanceof Node || Array.isArray(props)) {
    children.unshift(props);
    props = {};
  }
  for (const [key, value] of Object.entries(props)) set(node, key, value);
  add(node, children);
  return node;
}

function set(node, key, value) {
  if (value === undefined || value === null || value === false) return;
  if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
  else if (key === "class") node.className = `${node.className} ${value}`.trim();
  else if (key === "vars") for (const [name, v] of Object.entries(value)) node.style.setProperty(name, v);
  else if (key === "value" || key === "checked" || key === "disabled" || key === "data") node[key] = value;
  else node.setAttribute(key, value === true ? "" : value);
}

function add(node, children) {
  for (const child of children) {
    if (child === undefined || child === null || child === false) continue;
    if (Array.isArray(child)) add(node, child);
    else node.append(child);
  }
}

/** Replaces what is inside. */
export function fill(node, ...children) {
  node.textContent = "";
  add(node, children);
  return node;
}

/** Writes a text only when it changed. */
export function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** An id of its own, for labels and descriptions. */
export function id(prefix) {
  named += 1;
  return `${prefix}-${named}`;
}

function drawing(name, className) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `/assets/icons.svg#${name}`);
  svg.append(use);
  return svg;
}

/** A drawing of the sprite on the 24 grid; always decoration, the words stand beside it. */
export function icon(name, size = "") {
  return drawing(name, `icon ${size}`.trim());
}

/** A door state on the 40 grid. Only the moving one has a part that moves, so that part is ours and not the sprite's. */
export function glyph(name, className = "") {
  const svg = drawing(name, `glyph ${className}`.trim());
  svg.setAttribute("viewBox", "0 0 40 40");
  svg.dataset.name = name;
  if (name === "d-moving") {
    const bolt = document.createElementNS(SVG, "path");
    bolt.setAttribute("d", "M18.2 21.3h5v2.400h-5z");
    bolt.setAttribute("fill", "currentColor");
    bolt.setAttribute("class", "glyph-bolt");
    svg.append(bolt);
  }
  return svg;
}
