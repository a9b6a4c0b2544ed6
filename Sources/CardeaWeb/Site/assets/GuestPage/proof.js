// The key of this browser, to which its pass is bound: made here, read out by nobody, and signing each opening.

import { drop, keep, read } from "./kept.js";

const { subtle } = crypto;
const bytes = (text) => new TextEncoder().encode(text);
const each = (data, turn) => Array.from(new Uint8Array(data), turn).join("");
const coded = (data) => btoa(each(data, (byte) => String.fromCharCode(byte))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

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
    const asked = code && (await read("asked"));
    if (asked && asked.code === code) return asked.sent;
    const { publicKey, privateKey } = await newKey();
    const device_id = coded(await subtle.exportKey("raw", publicKey));
    await keep(device_id, privateKey);
    const sent = { device_id, device_public_key: device_id };
    if (code) await keep("asked", { code, sent });
    return sent;
  } catch {}
}

/** The house has answered. */
export const answered = () => drop("asked").catch(() => {});

/** The header fields that show that this browser asks, now, and where `verified` that its guest does; none where its key is gone. The time is the house's own. */
export async function sign(device_id, path, body, { nonce, jti, now: ts }, verified) {
  const key = await read(device_id);
  if (!key) return;
  const method = "POST", body_sha256 = each(await subtle.digest("SHA-256", bytes(body)), (byte) => (byte + 256).toString(16).slice(1));
  const said = bytes([method, path, ts, nonce, jti, device_id, body_sha256].join("\n"));
  const signature = await subtle.sign(key.algorithm.name === P256.name ? P256 : "Ed25519", key, said);
  const presence = verified && { "X-Cardea-Presence": coded(bytes(JSON.stringify((await show(await subtle.digest("SHA-256", said))).response))) };
  return { "X-Cardea-Proof": coded(bytes(JSON.stringify({ nonce, ts, method, path, body_sha256, jti, device_id }))), "X-Cardea-Proof-Signature": coded(signature), ...presence };
}

// The check of who holds the phone, by face, finger or PIN: a passkey that is made with the pass, shows who stands at the door, and brings the pass back.

const options = { rpId: location.hostname, userVerification: "required" };

/** Whether this browser has such a check for a house of this name; an address of digits is no name. */
export const canVerify = async () => window.PublicKeyCredential && !/^[\d.]+$|^\[/.test(location.hostname) && PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false);

/** A passkey for the pass of `code`, as the house is told of it; nothing where the guest put the question away. */
export async function make(code) {
  const user = crypto.getRandomValues(new Uint8Array(32)), name = document.title;
  const made = await navigator.credentials.create({ publicKey: {
    ...options, rp: { id: options.rpId, name }, user: { id: user, name, displayName: name }, challenge: await subtle.digest("SHA-256", bytes(code)),
    pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: "public-key", alg })), authenticatorSelection: { authenticatorAttachment: "platform", residentKey: "required", userVerification: "required" },
  } }).catch(() => {});
  return made && { response: { clientDataJSON: coded(made.response.clientDataJSON), attestationObject: coded(made.response.attestationObject) } };
}

/** What the check says of `challenge`. Throws where the guest put it away. */
export async function show(challenge) {
  const { id, response } = await navigator.credentials.get({ publicKey: { ...options, challenge } });
  return { id, response: Object.fromEntries(["clientDataJSON", "authenticatorData", "signature", "userHandle"].map((name) => [name, response[name] && coded(response[name])])) };
}
