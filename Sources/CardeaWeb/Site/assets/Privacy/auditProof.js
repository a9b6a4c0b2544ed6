// What proves the record, computed in this browser: that an entry lies under the root which the house signed (RFC 9162, section 2.1.3.2), that this root goes on from the
// one seen here last (2.1.4.2), and who signed.

import { api } from "../Shell/ui.js";

const bytes = (text) => new TextEncoder().encode(text);
const raw = (base64) => Uint8Array.from(atob(base64), (one) => one.charCodeAt());
const base64 = (data) => btoa(String.fromCharCode(...data));
const hash = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(parts.flatMap((one) => [...one]))));
const joined = (left, right) => hash([1], left, right);

/** What this browser keeps of the record: the key it saw first, the `note` it saw proven last, and that of the last `whole` segment. Where nothing may be kept, nothing was seen. */
function seen(news) {
  try {
    if (news) localStorage.setItem("cardea-record", JSON.stringify(news));
    return JSON.parse(localStorage.getItem("cardea-record")) || {};
  } catch {
    return {};
  }
}

/** Takes the record as it is from now on. */
export const forgetAuditRoot = () => seen({});

/** "proven", "unsigned" where this browser has no Ed25519, "another" where the key is not the one seen first, else "altered". */
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

/** A signed note (C2SP): its lines, what of it was signed, and the signature behind the four bytes that name the key. */
function opened(note) {
  const lines = note.split("\n"), [origin, size, root, at] = lines;
  return { origin, size: Number(size), root, at: Number(at.slice(3)), pair: [note.slice(0, note.indexOf("\n\n") + 1), raw(lines[5].split(" ")[2]).slice(4)] };
}

/** What anything that is not as it should be comes to: not proven. */
const careful = (work) => async (...given) => (!crypto.subtle ? "cannot" : work(...given).catch(() => "altered"));

/** Goes up a tree by the hashes of a proof, each of which stands at the `left` or the `right`; whether it ends at the root. */
async function climb(first, last, path, left, right) {
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

/** Whether a record begins as it stood before. */
async function grows(before, now, path) {
  if (before.origin !== now.origin || before.size > now.size) return false;
  if (before.size === now.size) return before.root === now.root && !path.length;
  // As many entries as a power of two are a part of the later tree: their root begins the path.
  const [start, ...rest] = (before.size & (before.size - 1) ? path : [before.root, ...path]);
  let first = before.size - 1, last = now.size - 1, old = raw(start), news = old;
  while (first % 2) [first, last] = [first >> 1, last >> 1];
  const isWhole = await climb(first, last, rest, async (one) => {
    old = await joined(one, old);
    news = await joined(one, news);
  }, async (one) => {
    news = await joined(news, one);
  });
  return isWhole && base64(old) === before.root && base64(news) === now.root;
}

/** The root as the house signed it last, with the way there from what was seen here. Where that was dropped since, from the last whole segment: its proof stays. */
export async function fetchAuditRoot() {
  const before = seen(), ask = async (from) => ({ before, from, ...(await api("GET", `/audit/checkpoint${from ? `?from_size=${opened(from).size}` : ""}`)) });
  try {
    return await ask(before.note);
  } catch (error) {
    if (error.status === 410 && before.whole) return ask(before.whole);
    // Where something was seen signed, a record of which nothing is signed was cut.
    if (error.code === "audit_not_signed" && before.note) return { before };
    throw error;
  }
}

/** The root: "proven" where it goes on from the one seen here last, "forked" where it does not, and then that one stays; "first" where none was seen, "signed" where none can be kept. */
export const verifyRoot = careful(async ({ before, from, key, note, root, at, path, whole }) => {
  if (!note) return "forked";
  const now = opened(note), part = whole && opened(whole.note), state = await signed(key, now.pair, ...(part ? [part.pair] : []));
  if (state !== "proven") return state;
  if (root !== now.root || Math.abs(Date.parse(at) - now.at) > 1 || (part && !(await grows(part, now, whole.path)))) return "altered";
  if (from && (opened(before.note).size > now.size || !path || !(await grows(opened(from), now, path)))) return "forked";
  const kept = seen({ key, note, whole: whole ? whole.note : before.whole });
  return from ? state : kept.note === note ? "first" : "signed";
});

/** One entry: that it is in the record at its place, and says all that is shown of it; "renamed" where only a name is another. */
export const verifyEntry = careful(async ({ id: seq, at, who, result, ...shown }, { line, told, signature, path, checkpoint: { key, note, root } }) => {
  const now = opened(note), leaf = await hash([0], bytes(line)), says = JSON.parse(told);
  let found = leaf;
  const isIn = seq <= now.size && (await climb(seq - 1, now.size - 1, path, async (one) => (found = await joined(one, found)), async (one) => (found = await joined(found, one))));
  // A pass that was taken is shown as paired, and on record as done.
  Object.assign(shown, { seq, result: result === "paired" && shown.action === "pair" ? "done" : result, who: who.kind, who_id: who.id, who_name: who.name });
  const others = Object.keys({ ...says, ...shown }).filter((name) => !/^(at|grant_id|request_id)$/.test(name) && (shown[name] ?? null) !== (says[name] ?? null));
  if (!isIn || base64(found) !== now.root || root !== now.root || !(Math.abs(Date.parse(at) - says.at) < 2) || !others.every((name) => /_name/.test(name))) return "altered";
  const state = await signed(key, now.pair, [`cardea-audit-entry-v1\n${now.origin}\n${seq}\n${base64(leaf)}\n${told}\n`, raw(signature)]);
  // Names are no part of the sealed entry: the house signs them as they are when it is asked.
  return others.length && /proven|unsigned/.test(state) ? "renamed" : state;
});
