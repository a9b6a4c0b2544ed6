// The key of this browser, to which its pass is bound: made here, read out by nobody, and signing each opening.

const { subtle } = crypto;
const bytes = (text) => new TextEncoder().encode(text);
const each = (data, turn) => Array.from(new Uint8Array(data), turn).join("");
const text = (data) => btoa(each(data, (byte) => String.fromCharCode(byte))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

/** One step in the store of keys. */
const keys = (step) => new Promise((done, failed) => {
  const opening = indexedDB.open("cardea-guest");
  opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
  opening.onerror = failed;
  opening.onsuccess = () => {
    const asked = step(opening.result.transaction("keys", "readwrite").objectStore("keys"));
    asked.onsuccess = () => done(asked.result);
    asked.onerror = failed;
  };
});

/**
 * What goes with a code so that the pass is bound; nothing where this browser has no Ed25519, or cannot keep a key. Asked again with the
 * same code, today or tomorrow, it is the same phone: a yes is for the phone that asked.
 */
export async function phone(code) {
  try {
    const asked = await keys((store) => store.get("asked"));
    if (asked && asked.code === code) return asked.sent;
    const { publicKey, privateKey } = await subtle.generateKey("Ed25519", false, ["sign"]);
    const device_id = text(await subtle.exportKey("raw", publicKey));
    await keys((store) => store.put(privateKey, device_id));
    const sent = { device_id, device_public_key: device_id };
    await keys((store) => store.put({ code, sent }, "asked"));
    return sent;
  } catch {}
}

/** The house has answered. */
export const answered = () => keys((store) => store.delete("asked")).catch(() => {});

/** The header fields that show that this browser asks, now; none where its key is gone. The time is the house's own. */
export async function sign(device_id, path, body, { nonce, jti, now: ts }) {
  const key = await keys((store) => store.get(device_id));
  if (!key) return;
  const method = "POST", body_sha256 = each(await subtle.digest("SHA-256", bytes(body)), (byte) => (byte + 256).toString(16).slice(1));
  const signature = await subtle.sign("Ed25519", key, bytes([method, path, ts, nonce, jti, device_id, body_sha256].join("\n")));
  return { "X-Cardea-Proof": text(bytes(JSON.stringify({ nonce, ts, method, path, body_sha256, jti, device_id }))), "X-Cardea-Proof-Signature": text(signature) };
}
