// Tags by Web NFC. One is written in two phases: the house makes the link, the tag takes it, is read back, and only then counts.
// Whatever breaks off in between leaves everything that was configured before as it was.

import { api, newKey } from "../Shell/api.js";

/** The tag holds something else, or nothing that can be read. */
export class UnreadableTagError extends Error {}

/**
 * @param draft `{ button_id, label?, replaces? }`
 * @param tell hears each step: `making`, `hold`, `reading`, `promoting`.
 * @returns the tag as the house shows it; throws HubError, a DOMException of the browser's, or Unread.
 */
export async function writeTag(draft, tell, signal) {
  tell("making");
  const made = await api("POST", "/tags", { body: { kind: "static", pending: true, ...draft }, key: newKey() });
  const path = `/tags/${encodeURIComponent(made.tag_id)}`;
  try {
    signal.throwIfAborted();
    const reader = new NDEFReader();
    tell("hold");
    await reader.write({ records: [{ recordType: "url", data: made.url }] }, { signal });
    tell("reading");
    const url = await readTag(signal, reader);
    tell("promoting");
    return await promote(path, url);
  } catch (error) {
    // It goes by itself after a while; there is no need to wait for that, and none to mind if it stays. Where nobody knows whether it counts by
    // now, taking it out could leave no tag at all.
    if (!error.offline && !(error.status >= 429)) api("DELETE", path, { key: newKey() }).catch(() => {});
    throw error;
  }
}

/** Said twice it is the same, so where the answer is cut off it is said again. */
async function promote(path, url) {
  for (let tries = 1; ; tries++) {
    try {
      return await api("POST", `${path}/promote`, { body: { url } });
    } catch (error) {
      if (!error.offline || tries === 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

/** The first URL that the next tag says. */
export async function readTag(signal, reader = new NDEFReader()) {
  const done = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true, signal: done.signal });
      reader.addEventListener("reading", ({ message }) => {
        const record = message.records.find((one) => one.recordType === "url");
        if (record) resolve(new TextDecoder().decode(record.data));
        else reject(new UnreadableTagError());
      }, { signal: done.signal });
      reader.addEventListener("readingerror", () => reject(new UnreadableTagError()), { signal: done.signal });
      reader.scan({ signal: done.signal }).catch(reject);
    });
  } finally {
    done.abort();
  }
}
