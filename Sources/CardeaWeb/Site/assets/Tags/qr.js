// A QR code drawn here, so that a link which is a secret goes nowhere to be drawn: ISO/IEC 18004, bytes, level M, versions 1 to 10.

import { svg } from "../Shell/h.js";

const PARITY = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26], BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5];
const TOTAL = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346];
/** Light modules around it, without which readers do not find it. */
const QUIET = 4;

// The field of 256 elements over x^8 + x^4 + x^3 + x^2 + 1.
const EXP = [], LOG = [];
for (let i = 0, x = 1; i < 255; i += 1, x = (x << 1) ^ (x > 127 ? 285 : 0)) {
  EXP[i] = x;
  LOG[x] = i;
}
const times = (a, b) => (a && b ? EXP[(LOG[a] + LOG[b]) % 255] : 0);

function parity(data, degree) {
  let generator = [1];
  for (let i = 0; i < degree; i += 1) generator = [...generator, 0].map((c, at) => c ^ (at ? times(generator[at - 1], EXP[i]) : 0));
  const rest = [...data, ...Array(degree).fill(0)];
  for (let i = 0; i < data.length; i += 1) {
    const lead = rest[i];
    if (lead) generator.forEach((c, at) => (rest[i + at] ^= times(c, lead)));
  }
  return rest.slice(data.length);
}

/** Its octets with those that mend it, in the order in which they are drawn; null where it is too long. */
function codewords(text) {
  const octets = [...new TextEncoder().encode(text)];
  const version = TOTAL.findIndex((total, at) => octets.length + (at > 8 ? 3 : 2) <= total - PARITY[at] * BLOCKS[at]) + 1;
  if (!version) return null;
  const at = version - 1, room = TOTAL[at] - PARITY[at] * BLOCKS[at];
  const long = version > 9;
  const bits = `0100${octets.length.toString(2).padStart(long ? 16 : 8, "0")}${octets.map((octet) => octet.toString(2).padStart(8, "0")).join("")}0000`;
  const data = bits.match(/.{1,8}/g).map((octet) => parseInt(octet.padEnd(8, "0"), 2)).slice(0, room);
  for (let pad = 236; data.length < room; pad ^= 253) data.push(pad);
  const size = Math.floor(room / BLOCKS[at]), short = BLOCKS[at] - (room % BLOCKS[at]);
  const blocks = [];
  for (let i = 0, from = 0; i < BLOCKS[at]; i += 1) blocks.push(data.slice(from, (from += size + (i < short ? 0 : 1))));
  const mended = blocks.map((block) => parity(block, PARITY[at]));
  const woven = (lists) => Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, i) => lists.map((list) => list[i])).flat().filter((octet) => octet !== undefined);
  return { version, octets: [...woven(blocks), ...woven(mended)] };
}

const MASKS = [(x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3, (x, y) => ((x / 3 | 0) + (y / 2 | 0)) % 2, (x, y) => ((x * y) % 2) + ((x * y) % 3), (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2];

/** Five or eighteen bits that mend themselves, by the remainder of `generator`. */
function guarded(value, bits, generator) {
  let rest = value << bits;
  for (let i = 17; i >= bits; i -= 1) if (rest & (1 << i)) rest ^= generator << (i - bits);
  return (value << bits) | rest;
}

function drawn({ version, octets }, mask) {
  const size = version * 4 + 17;
  const grid = Array.from({ length: size }, () => Array(size).fill(null));
  const set = (x, y, dark) => {
    if (grid[y] && x >= 0 && x < size) grid[y][x] = Boolean(dark);
  };
  for (const [left, top] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
    for (let y = -4; y <= 4; y += 1) for (let x = -4; x <= 4; x += 1) set(left + x, top + y, ![2, 4].includes(Math.max(Math.abs(x), Math.abs(y))));
  }
  for (let i = 8; i < size - 8; i += 1) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  const last = version * 4 + 10, places = version < 2 ? [] : version < 7 ? [6, last] : [6, version * 2 + 8, last];
  for (const cy of places) for (const cx of places) {
    // Three of them would lie in the corners.
    if (Math.min(cx, cy) === 6 && [6, last].includes(Math.max(cx, cy))) continue;
    for (let y = -2; y <= 2; y += 1) for (let x = -2; x <= 2; x += 1) set(cx + x, cy + y, Math.max(Math.abs(x), Math.abs(y)) !== 1);
  }
  // Level M is 00, so the five bits are the mask's number alone.
  const format = guarded(mask, 10, 0x537) ^ 0x5412, bit = (value, i) => (value >> i) & 1;
  for (let i = 0; i < 15; i += 1) {
    set(8, i < 6 ? i : i < 8 ? i + 1 : size - 15 + i, bit(format, i));
    set(i < 8 ? size - 1 - i : i < 9 ? 7 : 14 - i, 8, bit(format, i));
  }
  set(8, size - 8, true);
  const about = guarded(version, 12, 0x1f25);
  for (let i = 0; version > 6 && i < 18; i += 1) {
    set(size - 11 + (i % 3), i / 3 | 0, bit(about, i));
    set(i / 3 | 0, size - 11 + (i % 3), bit(about, i));
  }
  let next = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    const up = ((right + 1) & 2) === 0;
    for (let i = 0; i < size; i += 1) for (const x of [right, right - 1]) {
      const y = up ? size - 1 - i : i;
      if (grid[y][x] !== null) continue;
      const dark = bit(octets[next >> 3] || 0, 7 - (next & 7));
      next += 1;
      grid[y][x] = Boolean(dark ^ (MASKS[mask](x, y) === 0));
    }
  }
  return grid;
}

/** How hard it is to read: long runs, blocks of one colour, what looks like a corner, too much of one colour. */
function trouble(grid) {
  let points = 0, dark = 0;
  for (const lines of [grid, grid[0].map((_, x) => grid.map((row) => row[x]))]) {
    for (const line of lines) {
      const text = line.map(Number).join("");
      for (const run of text.match(/0{5,}|1{5,}/g) || []) points += run.length - 2;
      points += 40 * (text.match(/(?=00001011101|10111010000)/g) || []).length;
    }
  }
  grid.forEach((row, y) => row.forEach((one, x) => {
    dark += one;
    if (y && x && one === row[x - 1] && one === grid[y - 1][x] && one === grid[y - 1][x - 1]) points += 3;
  }));
  return points + 10 * Math.floor(Math.abs(dark / grid.length ** 2 - 0.5) * 20);
}

/** An `svg` element, black on white in both themes; null where the text is too long for one. */
export function qr(text, label) {
  const words = codewords(text);
  if (!words) return null;
  const grid = MASKS.map((_, mask) => drawn(words, mask)).reduce((best, one) => (trouble(one) < trouble(best) ? one : best));
  const side = grid.length + 2 * QUIET;
  return svg("svg", { viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    svg("rect", { width: side, height: side, fill: "#fff" }), svg("path", { d: grid.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : ""))).join(""), fill: "#000" }));
}
