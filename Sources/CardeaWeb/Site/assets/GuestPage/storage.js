// What this browser keeps for a guest: the pass, and the key that it is bound to. It lies in IndexedDB, where a key can be kept that nobody reads out.
// Below: what that key signs, and the passkey beside it.

const BEFORE = "cardea-guest-pass";

/** One step in the store: done when it is written. Some browsers never answer. */
const step = (work) => new Promise((done, failed) => {
  const opening = indexedDB.open("cardea-guest");
  opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
  opening.onerror = failed;
  opening.onsuccess = () => done(opening.result);
  setTimeout(failed, 9000);
}).then((store) => new Promise((done, failed) => {
  const going = store.transaction("keys", "readwrite");
  const asked = work(going.objectStore("keys"));
  going.oncomplete = () => done(asked.result, store.close());
  going.onabort = failed;
}));

const read = (name) => step((store) => store.get(name));
const keep = (name, value) => step((store) => store.put(value, name));
const drop = (name) => step((store) => store.delete(name));

/** Whether this browser keeps anything when it is closed. Private windows of Safari and Firefox take all that is written, but have no files for a page. */
export async function canPersist() {
  // Of this look alone: another tab looks too, and an older value is no proof.
  const name = `kept ${Math.random()}`;
  try {
    await keep(name, 1);
    const { storage } = navigator;
    if (storage && storage.getDirectory) await storage.getDirectory();
    return await read(name);
  } catch {
  } finally {
    drop(name).catch(() => {});
  }
}

/** Tabs of this browser go one after the other, where it can keep them apart and none of them sleeps. */
export function withLock(work) {
  if (!navigator.locks) return work();
  const late = new AbortController();
  setTimeout(() => late.abort(), 9000);
  return navigator.locks.request("cardea-guest", { signal: late.signal }, work).catch(work);
}

/** The pass of this browser: `{ token, pass, code, heard }`, and `forgets` where it is not kept: a reload forgets it then. */
export const passStore = {
  now: undefined,
  async load() {
    try {
      const before = localStorage[BEFORE];
      // As it was kept before: text that any copy of the profile shows.
      if (before) {
        await keep("pass", JSON.parse(before));
        delete localStorage[BEFORE];
      }
    } catch {}
    try {
      const kept = await read("pass");
      // One that could not be written is this tab's alone: an older one that lies there does not take its place.
      if (kept ? !this.only : !this.now || !this.now.forgets) this.now = kept;
    } catch {}
    return this.now;
  },
  /** A pass that was taken. Other tabs are told. */
  async set(value) {
    this.only = true;
    try {
      await keep("pass", value);
      this.only = (await read("pass")).token !== value.token;
    } catch {}
    if (this.only) value.forgets = true;
    this.now = value;
    try {
      localStorage["cardea-guest"] = value.heard;
      navigator.storage.persist().catch(() => {});
    } catch {}
  },
  /** What is new of it, unless another tab took another one or it was cleared. */
  renew: (value) => step((store) => {
    const asked = store.get("pass");
    asked.onsuccess = () => (asked.result || {}).token === value.token && store.put(value, "pass");
    return asked;
  }).catch(() => {}),
};

// The key of this browser, to which its pass is bound: made here, read out by nobody, and signing each opening.

const { subtle } = crypto;
const bytes = (text) => new TextEncoder().encode(text);
const each = (data, turn) => Array.from(new Uint8Array(data), turn).join("");
const coded = (data) => btoa(each(data, (byte) => String.fromCharCode(byte))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
const told = (value) => coded(bytes(JSON.stringify(value)));
const fields = (response, ...names) => Object.fromEntries(names.map((name) => [name, response[name] && coded(response[name])]));

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
export async function phoneKey(code) {
  try {
    const asked = code && (await read("asked"));
    if (asked && asked.code === code) return asked.sent;
    const { publicKey, privateKey } = await newKey();
    const device_id = coded(await subtle.exportKey("raw", publicKey));
    await keep(device_id, privateKey);
    // Some take it and lose it.
    if (!(await read(device_id))) return;
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
  const presence = verified && { "X-Cardea-Presence": told((await getPasskey(await subtle.digest("SHA-256", said))).response) };
  return { "X-Cardea-Proof": told({ nonce, ts, method, path, body_sha256, jti, device_id }), "X-Cardea-Proof-Signature": coded(signature), ...presence };
}

// The check of who holds the phone, by face, finger or PIN: a passkey that is made with the pass, shows who stands at the door, and brings the pass back.

const options = { rpId: location.hostname, userVerification: "required" };

/** Whether this browser has such a check for a house of this name; an address of digits is no name. */
export const canVerify = async () => window.PublicKeyCredential && !/^[\d.]+$|^\[/.test(location.hostname) && PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false);

/** A passkey of this name for the pass of `code`, as the house is told of it; nothing where the guest put the question away. */
export async function createPasskey(code, name) {
  const user = crypto.getRandomValues(new Uint8Array(32));
  const made = await navigator.credentials.create({ publicKey: {
    rp: { id: options.rpId, name }, user: { id: user, name, displayName: name }, challenge: await subtle.digest("SHA-256", bytes(code)),
    pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: "public-key", alg })), authenticatorSelection: { ...options, authenticatorAttachment: "platform", residentKey: "required" },
  } }).catch(() => {});
  return made && { response: fields(made.response, "clientDataJSON", "attestationObject") };
}

/** What the check says of `challenge`. Throws where the guest put it away. */
export async function getPasskey(challenge) {
  const { id, response } = await navigator.credentials.get({ publicKey: { ...options, challenge } });
  return { id, response: fields(response, "clientDataJSON", "authenticatorData", "signature", "userHandle") };
}
