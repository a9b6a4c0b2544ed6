// Pictures lie behind the session, so they are fetched and shown from memory: the latest few dozen, four on their way at a time.

import { api, whole } from "../Shell/api.js";

const MOST = 96, AT_ONCE = 4;
const kept = new Map();
const waiting = [];
let under = 0;

/** The address of a picture in this page's memory. `wanted()` says whether somebody still waits for it when its turn comes. */
export function picture(path, wanted = () => true) {
  const known = kept.get(path);
  if (known) {
    kept.delete(path);
    kept.set(path, known);
    return known;
  }
  const asked = new Promise((resolve, reject) => waiting.push({ path, wanted, resolve, reject }));
  kept.set(path, asked);
  // What failed, or nobody waited for, is asked anew the next time.
  asked.then(drop, () => kept.get(path) === asked && kept.delete(path));
  next();
  return asked;
}

async function next() {
  if (under >= AT_ONCE || !waiting.length) return;
  // The latest first: whoever scrolls by waits for what is on the screen now.
  const { path, wanted, resolve, reject } = waiting.pop();
  if (!wanted()) {
    reject(new Error("nobody waits"));
    return next();
  }
  under += 1;
  try {
    const answer = await api("GET", path, { raw: true, headers: { Accept: "image/jpeg" } });
    resolve(URL.createObjectURL(await whole(answer.blob())));
  } catch (error) {
    reject(error);
  }
  under -= 1;
  next();
}

function drop() {
  for (const [path, asked] of kept) {
    if (kept.size <= MOST) return;
    kept.delete(path);
    asked.then((url) => URL.revokeObjectURL(url), () => {});
  }
}
