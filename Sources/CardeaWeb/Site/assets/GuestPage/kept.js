// What this browser keeps for a guest: the pass, and the key that it is bound to. It lies in IndexedDB, where a key can be kept that nobody reads out.

const BEFORE = "cardea-guest-pass";

/** One step in the store. */
const step = (work) => new Promise((done, failed) => {
  const opening = indexedDB.open("cardea-guest");
  opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
  opening.onerror = failed;
  opening.onsuccess = ({ target: { result: store } }) => {
    const asked = work(store.transaction("keys", "readwrite").objectStore("keys"));
    asked.onsuccess = () => done(asked.result, store.close());
    asked.onerror = failed;
  };
});

export const read = (name) => step((store) => store.get(name));
export const keep = (name, value) => step((store) => store.put(value, name));
export const drop = (name) => step((store) => store.delete(name));

/** The pass of this browser: `{ token, pass, code }`. Where nothing may be kept, a reload forgets it. */
export const mine = {
  now: undefined,
  async load() {
    try {
      const before = localStorage[BEFORE];
      // As it was kept before: text that any copy of the profile shows.
      if (before) {
        await keep("pass", JSON.parse(before));
        delete localStorage[BEFORE];
      }
      this.now = await read("pass");
    } catch {}
    return this.now;
  },
  set(value) {
    this.now = value;
    return keep("pass", value).catch(() => {});
  },
};
