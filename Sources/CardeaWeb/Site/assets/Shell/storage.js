// The stored board, so that Home appears at once, also without a connection: the person, the house, and
// the last values of the topics. It is in IndexedDB, encrypted with a key that no script can read, and is deleted at sign-out.

const STORE = "kept", BOARD = "cardea-board";
let wipes = 0;

/** The key under which this tab stores waiting commands. */
export const QUEUED_COMMANDS = "cardea-wishes";

/** The same for waiting questions. */
export const QUEUED_QUESTIONS = "cardea-questions";

/** One transaction in the store of a database. */
export async function withStore(name, mode, work) {
  const db = await new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = reject;
  });
  try {
    return await new Promise((resolve, reject) => {
      const transaction = db.transaction(STORE, mode);
      const requests = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(requests.map((request) => request.result));
      transaction.onerror = transaction.onabort = reject;
    });
  } finally {
    db.close();
  }
}

/** `{ me, house, topics }` as stored, or null. Without IndexedDB or WebCrypto nothing is stored. */
export async function loadSnapshot() {
  try {
    const [key, sealed] = await withStore(BOARD, "readonly", (store) => [store.get("key"), store.get("board")]);
    return JSON.parse(new TextDecoder().decode(await crypto.subtle.decrypt({ name: "AES-GCM", iv: sealed.iv }, key, sealed.data)));
  } catch {
    return null;
  }
}

/** Replaces the stored board. */
export async function saveSnapshot(board) {
  const turn = wipes;
  try {
    let [key] = await withStore(BOARD, "readonly", (store) => [store.get("key")]);
    if (!key) key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const data = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, new TextEncoder().encode(JSON.stringify(board)));
    // Signed out while it was being encrypted: then nothing is stored.
    if (turn === wipes) await withStore(BOARD, "readwrite", (store) => [store.put(key, "key"), store.put({ iv, data }, "board")]);
  } catch {
    // Without it the next start asks the house first.
  }
}

/** Resolves when key and board are deleted. */
export async function clearSnapshot() {
  wipes += 1;
  await withStore(BOARD, "readwrite", (store) => [store.clear()]).catch(() => {});
}
