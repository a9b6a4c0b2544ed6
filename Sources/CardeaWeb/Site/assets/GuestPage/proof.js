// The key of this browser, to which its pass is bound: made here, read out by nobody, and signing each opening.

import { drop, keep, read } from "./kept.js";

const { subtle } = crypto;
const bytes = (text) => new TextEncoder().encode(text);
const each = (data, turn) => Array.from(new Uint8Array(data), turn).join("");
const text = (data) => btoa(each(data, (byte) => String.fromCharCode(byte))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

const P256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** Of this page alone: its private half is used here, and read out by nobody. */
async function newKey() {
  const make = (algorithm) => subtle.generateKey(algorithm, false, ["sign"]);
  return make("Ed25519").catch(() => make(P256));
}

/**
 * What goes with a code so that the pass is bound; nothing where this browser cannot keep a key. Asked again with the same code, today or
 * tomorrow, it is the same phone: a yes is for the phone that asked.
 */
export async function phone(code) {
  try {
    const asked = await read("asked");
    if (asked && asked.code === code) return asked.sent;
    const { publicKey, privateKey } = await newKey();
    const device_id = text(await subtle.exportKey("raw", publicKey));
    await keep(device_id, privateKey);
    const sent = { device_id, device_public_key: device_id };
    await keep("asked", { code, sent });
    return sent;
  } catch {}
}

/** The house has answered. */
export const answered = () => drop("asked").catch(() => {});

/** The header fields that show that this browser asks, now; none where its key is gone. The time is the house's own. */
export async function sign(device_id, path, body, { nonce, jti, now: ts }) {
  const key = await read(device_id);
  if (!key) return;
  const method = "POST", body_sha256 = each(await subtle.digest("SHA-256", bytes(body)), (byte) => (byte + 256).toString(16).slice(1));
  const signature = await subtle.sign(key.algorithm.name === P256.name ? P256 : "Ed25519", key, bytes([method, path, ts, nonce, jti, device_id, body_sha256].join("\n")));
  return { "X-Cardea-Proof": text(bytes(JSON.stringify({ nonce, ts, method, path, body_sha256, jti, device_id }))), "X-Cardea-Proof-Signature": text(signature) };
}
