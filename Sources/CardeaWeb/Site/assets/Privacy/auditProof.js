// Verifies the audit log in this browser: that an entry is in the tree under the root which the house signed (RFC 9162, section 2.1.3.2), that this root
// extends the one seen last (2.1.4.2), and who signed.

import { api } from "../Shell/ui.js";

const bytes = (text) => new TextEncoder().encode(text);
const raw = (base64) => Uint8Array.from(atob(base64), (one) => one.charCodeAt());
const base64 = (data) => btoa(String.fromCharCode(...data));
const hash = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(parts.flatMap((one) => [...one]))));
const joined = (left, right) => hash([1], left, right);

/** The state of the audit log stored in this browser: the key seen first, the `note` verified last, and that of the last `whole` segment. Empty if storage is denied. */
function seen(news) {
  try {
    if (news) localStorage.setItem("cardea-record", JSON.stringify(news));
    return JSON.parse(localStorage.getItem("cardea-record")) || {};
  } catch {
    return {};
  }
}

/** Accepts the current log as the new start. */
export const forgetAuditRoot = () => seen({});

/** Returns "proven", "unsigned" if this browser has no Ed25519, "another" if the key is not the one seen first, otherwise "altered". */
async function signed(key, ...pairs) {
  const { key: first = key } = seen();
  if (first !== key) return "another";
  let by;
  try {
    by = await crypto.subtle.importKey("raw", raw(key), "Ed25519", false, ["verify"]);
  } catch {
    return "unsigned";
  }
  for (const [text, signature] of pairs) if (!(await crypto.subtle.verify("Ed25519", by, signature, bytes(text)))) return "altered";
  seen({ ...seen(), key });
  return "proven";
}

/** A signed note (C2SP): its lines, its signed text, and the signature after the four bytes that name the key. */
function opened(note) {
  const lines = note.split("\n"), [origin, size, root, at] = lines;
  return { origin, size: Number(size), root, at: Number(at.slice(3)), pair: [note.slice(0, note.indexOf("\n\n") + 1), raw(lines[5].split(" ")[2]).slice(4)] };
}

/** The result of any malformed proof: not proven. */
const provenOr = (work) => async (...given) => (!crypto.subtle ? "cannot" : work(...given).catch(() => "altered"));

/** Folds the hashes of a proof, each at the `left` or the `right`; returns true if they lead to the root. */
async function leadsToRoot(first, last, path, left, right) {
  for (const one of path.map(raw)) {
    if (!last) return false;
    if (first % 2 || first === last) {
      await left(one);
      while (first && !(first % 2)) [first, last] = [first >> 1, last >> 1];
    } else await right(one);
    [first, last] = [first >> 1, last >> 1];
  }
  return !last;
}

/** True if the log begins with its earlier state. */
async function isExtension(before, now, path) {
  if (before.origin !== now.origin || before.size > now.size) return false;
  if (before.size === now.size) return before.root === now.root && !path.length;
  // A power of two of entries is a complete subtree of the later tree: its root begins the path.
  const [start, ...rest] = (before.size & (before.size - 1) ? path : [before.root, ...path]);
  let first = before.size - 1, last = now.size - 1, old = raw(start), news = old;
  while (first % 2) [first, last] = [first >> 1, last >> 1];
  const isWhole = await leadsToRoot(first, last, rest, async (one) => {
    old = await joined(one, old);
    news = await joined(one, news);
  }, async (one) => {
    news = await joined(news, one);
  });
  return isWhole && base64(old) === before.root && base64(news) === now.root;
}

/** The latest signed root, with its consistency proof from the stored one. If that was dropped by the house, from the last whole segment, whose proof stays. */
export async function fetchAuditRoot() {
  const before = seen(), ask = async (from) => ({ before, from, ...(await api("GET", `/audit/checkpoint${from ? `?from_size=${opened(from).size}` : ""}`)) });
  try {
    return await ask(before.note);
  } catch (error) {
    if (error.status === 410 && before.whole) return ask(before.whole);
    // A log without a signed root was cut if one was seen before.
    if (error.code === "audit_not_signed" && before.note) return { before };
    throw error;
  }
}

/** The root: "proven" if it extends the one seen last, "forked" if not (the stored one then stays), "first" without a stored one, "signed" if none can be stored. */
export const verifyRoot = provenOr(async ({ before, from, key, note, root, at, path, whole }) => {
  if (!note) return "forked";
  const now = opened(note), part = whole && opened(whole.note), state = await signed(key, now.pair, ...(part ? [part.pair] : []));
  if (state !== "proven") return state;
  if (root !== now.root || Math.abs(Date.parse(at) - now.at) > 1 || (part && !(await isExtension(part, now, whole.path)))) return "altered";
  if (from && (opened(before.note).size > now.size || !path || !(await isExtension(opened(from), now, path)))) return "forked";
  const kept = seen({ key, note, whole: whole ? whole.note : before.whole });
  return from ? state : kept.note === note ? "first" : "signed";
});

/** Verifies that an entry is in the log at its place and says all that is shown; "renamed" if only a name differs. */
export const verifyEntry = provenOr(async ({ id: seq, at, who, result, ...shown }, { line, told, signature, path, checkpoint: { key, note, root } }) => {
  const now = opened(note), leaf = await hash([0], bytes(line)), says = JSON.parse(told);
  let found = leaf;
  const isIn = seq <= now.size && (await leadsToRoot(seq - 1, now.size - 1, path, async (one) => (found = await joined(one, found)), async (one) => (found = await joined(found, one))));
  // A pass that was taken is shown as paired, and is in the log as done.
  Object.assign(shown, { seq, result: result === "paired" && shown.action === "pair" ? "done" : result, who: who.kind, who_id: who.id, who_name: who.name });
  const others = Object.keys({ ...says, ...shown }).filter((name) => !/^(at|grant_id|request_id)$/.test(name) && (shown[name] ?? null) !== (says[name] ?? null));
  if (!isIn || base64(found) !== now.root || root !== now.root || !(Math.abs(Date.parse(at) - says.at) < 2) || !others.every((name) => /_name/.test(name))) return "altered";
  const state = await signed(key, now.pair, [`cardea-audit-entry-v1\n${now.origin}\n${seq}\n${base64(leaf)}\n${told}\n`, raw(signature)]);
  // Names are not part of the sealed entry: the house signs its current names on request.
  return others.length && /proven|unsigned/.test(state) ? "renamed" : state;
});
