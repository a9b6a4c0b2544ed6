// What this browser keeps: the token in IndexedDB (localStorage where that is denied), the command under way in sessionStorage.

const STORE = "pass", FALLBACK = "cardea-guest-pass", COMMAND = "cardea-guest-command";

function database() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("cardea-guest", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = reject;
  });
}

async function inStore(mode, work) {
  const db = await database();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = db.transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = reject;
    });
  } finally {
    db.close();
  }
}

/** `{ token, pass, code }` of this browser, or null. */
export async function load() {
  const kept = await inStore("readonly", (store) => store.get("current")).catch(() => null);
  return kept || attempt(() => JSON.parse(localStorage.getItem(FALLBACK)));
}

export const save = (kept) => inStore("readwrite", (store) => store.put(kept, "current")).catch(() => attempt(() => localStorage.setItem(FALLBACK, JSON.stringify(kept))));

/** The pairing or door command under way; null when there is none. Without storage a reload forgets it. */
export const command = {
  get: () => attempt(() => JSON.parse(sessionStorage.getItem(COMMAND))),
  set: (value) => attempt(() => sessionStorage.setItem(COMMAND, JSON.stringify(value))),
  clear: () => attempt(() => sessionStorage.removeItem(COMMAND)),
};

function attempt(work) {
  try {
    return work();
  } catch {
    return null;
  }
}

/** A key no other command has: 128 random bits. */
export const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
