// The guest's data in this browser: the pass, and the key that it is bound to. It is in IndexedDB, which can hold a key that no script can read.
// Below: the signatures of that key, and the passkey beside it.

const BEFORE = "cardea-guest-pass";

/** One operation on the store; resolves when it is written. Some browsers never answer. */
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

/** True if this browser keeps data after it is closed. Private windows of Safari and Firefox accept all writes, but have no file system for a page. */
export async function canPersist() {
  // The value is unique to this check: another tab may check too, and an older value proves nothing.
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

/** Tabs of this browser run one after the other, if it has Web Locks and no tab sleeps. */
export function withLock(work) {
  if (!navigator.locks) return work();
  const late = new AbortController();
  setTimeout(() => late.abort(), 9000);
  return navigator.locks.request("cardea-guest", { signal: late.signal }, work).catch(work);
}

/** The pass of this browser: `{ token, pass, code, heard }`, and `forgets` if it is not stored: then a reload loses it. */
export const passStore = {
  now: undefined,
  async load() {
    try {
      const before = localStorage[BEFORE];
      // The older form: text that any copy of the profile shows.
      if (before) {
        await keep("pass", JSON.parse(before));
        delete localStorage[BEFORE];
      }
    } catch {}
    try {
      const kept = await read("pass");
      // A pass that could not be stored belongs to this tab: an older stored one does not replace it.
      if (kept ? !this.only : !this.now || !this.now.forgets) this.now = kept;
    } catch {}
    return this.now;
  },
  /** A pass that was taken. Other tabs are informed. */
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
  /** Updates the pass, unless another tab took another one or it was cleared. */
  renew: (value) => step((store) => {
    const asked = store.get("pass");
    asked.onsuccess = () => (asked.result || {}).token === value.token && store.put(value, "pass");
    return asked;
  }).catch(() => {}),
};

// The key of this browser, to which its pass is bound: made here, not extractable, and used to sign each opening.

const { subtle } = crypto;
const bytes = (text) => new TextEncoder().encode(text);
const each = (data, turn) => Array.from(new Uint8Array(data), turn).join("");
const coded = (data) => btoa(each(data, (byte) => String.fromCharCode(byte))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
const told = (value) => coded(bytes(JSON.stringify(value)));
const fields = (response, ...names) => Object.fromEntries(names.map((name) => [name, response[name] && coded(response[name])]));

const P256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** For this page only: its private half is used here, and cannot be read. */
async function newKey() {
  const make = (algorithm) => subtle.generateKey(algorithm, false, ["sign"]);
  return make("Ed25519").catch(() => make(P256));
}

/**
 * The fields that bind the pass, sent with a code; none if this browser cannot store a key. For the same code, today or
 * tomorrow, they name the same phone, as approval is for the phone that asked.
 */
export async function phoneKey(code) {
  try {
    const asked = code && (await read("asked"));
    if (asked && asked.code === code) return asked.sent;
    const { publicKey, privateKey } = await newKey();
    const device_id = coded(await subtle.exportKey("raw", publicKey));
    await keep(device_id, privateKey);
    // Some browsers accept the key and lose it.
    if (!(await read(device_id))) return;
    const sent = { device_id, device_public_key: device_id };
    if (code) await keep("asked", { code, sent });
    return sent;
  } catch {}
}

/** The house has answered. */
export const answered = () => drop("asked").catch(() => {});

/** The header fields that prove that this browser asks, now, and with `verified` that its guest does; none if its key is lost. The time is the hub's. */
export async function sign(device_id, path, body, { nonce, jti, now: ts }, verified) {
  const key = await read(device_id);
  if (!key) return;
  const method = "POST", body_sha256 = each(await subtle.digest("SHA-256", bytes(body)), (byte) => (byte + 256).toString(16).slice(1));
  const said = bytes([method, path, ts, nonce, jti, device_id, body_sha256].join("\n"));
  const signature = await subtle.sign(key.algorithm.name === P256.name ? P256 : "Ed25519", key, said);
  const presence = verified && { "X-Cardea-Presence": told((await getPasskey(await subtle.digest("SHA-256", said))).response) };
  return { "X-Cardea-Proof": told({ nonce, ts, method, path, body_sha256, jti, device_id }), "X-Cardea-Proof-Signature": coded(signature), ...presence };
}

// The check of the phone's holder by face, finger or PIN: a passkey that is made with the pass, verifies the guest at the door, and restores the pass.

const options = { rpId: location.hostname, userVerification: "required" };

/** True if this browser can do the check for a house of this name; a numeric address is not a name. */
export const canVerify = async () => window.PublicKeyCredential && !/^[\d.]+$|^\[/.test(location.hostname) && PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false);

/** Makes a passkey with this name for the pass of `code`, in the form of the API; undefined if the guest cancelled. */
export async function createPasskey(code, name) {
  const user = crypto.getRandomValues(new Uint8Array(32));
  const made = await navigator.credentials.create({ publicKey: {
    rp: { id: options.rpId, name }, user: { id: user, name, displayName: name }, challenge: await subtle.digest("SHA-256", bytes(code)),
    pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: "public-key", alg })), authenticatorSelection: { ...options, authenticatorAttachment: "platform", residentKey: "required" },
  } }).catch(() => {});
  return made && { response: fields(made.response, "clientDataJSON", "attestationObject") };
}

/** The assertion for `challenge`. Throws if the guest cancelled. */
export async function getPasskey(challenge) {
  const { id, response } = await navigator.credentials.get({ publicKey: { ...options, challenge } });
  return { id, response: fields(response, "clientDataJSON", "authenticatorData", "signature", "userHandle") };
}
