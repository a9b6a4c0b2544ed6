// What proves the record, computed in this browser: that an entry lies under the root which the house signed (RFC 9162, section 2.1.3.2), and who signed.

const bytes = (text) => new TextEncoder().encode(text);
const raw = (base64) => Uint8Array.from(atob(base64), (one) => one.charCodeAt());
const base64 = (data) => btoa(String.fromCharCode(...data));
const hash = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(parts.flatMap((one) => [...one]))));

/** "proven", "unsigned" where this browser has no Ed25519, "another" where the key is not the one seen first, else "altered". */
async function signed(key, ...pairs) {
  // Where nothing may be kept, there is no key seen before.
  const kept = (work) => { try { return work(); } catch { return null; } };
  const first = kept(() => localStorage.getItem("cardea-record-key"));
  if (first && first !== key) return "another";
  let by;
  try {
    by = await crypto.subtle.importKey("raw", raw(key), "Ed25519", false, ["verify"]);
  } catch {
    return "unsigned";
  }
  for (const [text, signature] of pairs) if (!(await crypto.subtle.verify("Ed25519", by, signature, bytes(text)))) return "altered";
  kept(() => localStorage.setItem("cardea-record-key", key));
  return "proven";
}

/** A signed note (C2SP): its lines, what of it was signed, and the signature behind the four bytes that name the key. */
function opened(note) {
  const lines = note.split("\n"), [origin, size, root] = lines;
  return { origin, size: Number(size), root, pair: [note.slice(0, note.indexOf("\n\n") + 1), raw(lines[5].split(" ")[2]).slice(4)] };
}

/** What anything that is not as it should be comes to: not proven. */
const careful = (work) => async (...given) => (!crypto.subtle ? "cannot" : work(...given).catch(() => "altered"));

/** The signed root alone. */
export const checkRoot = careful(async ({ key, note }) => signed(key, opened(note).pair));

/** One entry: that it is in the record at its place, and says what is shown. */
export const checkEntry = careful(async ({ id, action, result, who }, { line, told, signature, path, checkpoint: { key, note } }) => {
  const { origin, size, root, pair } = opened(note), leaf = await hash([0], bytes(line)), says = JSON.parse(told);
  let found = leaf, first = id - 1, last = size - 1;
  if (first > last) return "altered";
  for (const one of path.map(raw)) {
    if (!last) return "altered";
    if (first % 2 || first === last) {
      found = await hash([1], one, found);
      while (first && !(first % 2)) [first, last] = [first >> 1, last >> 1];
    } else found = await hash([1], found, one);
    [first, last] = [first >> 1, last >> 1];
  }
  if (last || base64(found) !== root || says.seq !== id || says.action !== action || says.result !== result || (says.who_id || null) !== (who.id || null)) return "altered";
  return signed(key, pair, [`cardea-audit-entry-v1\n${origin}\n${id}\n${base64(leaf)}\n${told}\n`, raw(signature)]);
});
