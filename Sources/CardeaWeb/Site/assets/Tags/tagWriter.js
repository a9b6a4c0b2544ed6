// Writing tags by Web NFC, in two phases: the hub makes the link, the tag stores it and is read back; only then the tag is active.
// An interruption leaves all configured tags as they were.

import { api, newKey } from "../Shell/api.js";

/** The tag holds something else, or cannot be read. */
export class UnreadableTagError extends Error {}

/**
 * @param draft `{ button_id, label?, replaces? }`
 * @param tell gets each step: `making`, `hold`, `reading`, `promoting`.
 * @returns the tag of the API; throws HubError, a DOMException of the browser, or Unread.
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
    // The draft expires by itself, so there is no need to wait, and a failure does not matter. If it is unknown whether it is active by
    // now, removing it could leave no tag at all.
    if (!error.offline && !(error.status >= 429)) api("DELETE", path, { key: newKey() }).catch(() => {});
    throw error;
  }
}

/** Idempotent, so it is repeated if the answer is lost. */
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

/** The first URL on the next tag. */
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
