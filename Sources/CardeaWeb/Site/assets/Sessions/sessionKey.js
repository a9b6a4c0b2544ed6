// The key that this browser's session is bound to (RFC 9449): made here, not extractable, and shared by all pages of this origin.

import { withStore } from "../Shell/storage.js";

const P256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DATABASE = "cardea-session";

export const base64url = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

/** `{ privateKey, jwk, nonce? }` as stored; undefined if there is none. */
export const readKey = () => withStore(DATABASE, "readonly", (store) => [store.get("key")]).then(([key]) => key, () => {});
export const storeKey = (key, name = "key") => withStore(DATABASE, "readwrite", (store) => [store.put(key, name)]);

/** A key for a new session; undefined if this browser can store none, as at an insecure address. */
export async function createKey() {
  try {
    const { publicKey, privateKey } = await crypto.subtle.generateKey(P256, false, ["sign"]);
    const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", publicKey);
    const key = { privateKey, jwk: { kty, crv, x, y } };
    // The key of the earlier session stays until the new session has begun.
    await storeKey(key, "next");
    return key;
  } catch {}
}

/** The header that proves that this browser sends a POST to `path`. */
export async function proofHeaders(key, path) {
  if (!key) return {};
  const bytes = (text) => new TextEncoder().encode(text);
  const claims = { jti: crypto.randomUUID(), htm: "POST", htu: location.origin + path, iat: Math.floor(Date.now() / 1000), nonce: key.nonce };
  const said = [{ typ: "dpop+jwt", alg: "ES256", jwk: key.jwk }, claims].map((part) => base64url(bytes(JSON.stringify(part)))).join(".");
  return { DPoP: `${said}.${base64url(await crypto.subtle.sign(P256, key.privateKey, bytes(said)))}` };
}
