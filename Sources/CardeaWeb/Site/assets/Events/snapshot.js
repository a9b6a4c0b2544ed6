// A picture in a box: the box is there at once, the picture when it has loaded, or the reason why there is none.

import { api, readBody } from "../Shell/api.js";
import { h, setText } from "../Shell/dom.js";
import { events as words } from "./words.js";

export const thumbnailPath = (id) => `/mobile/events/${encodeURIComponent(id)}/thumbnail`;
export const picturePath = (id) => `/events/${encodeURIComponent(id)}/picture`;

/** A box with the picture at `path`; `alt` is empty if the words beside it say the same. */
export function snapshot(path, { alt = "", className = "", corner } = {}) {
  const image = h("img", { alt, decoding: "async", hidden: true });
  const why = h("span.shot-why.small", { hidden: true });
  const box = h(`span.shot${className && `.${className}`}`, image, why, corner);
  let started = false;
  /** Called when the box is on the page, and again if the last load was dropped. */
  box.load = async () => {
    if (started) return;
    started = true;
    try {
      image.src = await picture(path, () => box.isConnected);
      // A picture that was dropped from memory before it was drawn is loaded once more.
      await image.decode();
      image.hidden = false;
    } catch (error) {
      if (!error.status && !error.offline) started = false;
      else {
        setText(why, error.status === 404 ? words.pictureGone : words.pictureFailed);
        why.hidden = false;
      }
    }
  };
  return box;
}

// Pictures need the session, so they are fetched and shown from memory: the latest few dozen, four at a time.

const MOST = 96, AT_ONCE = 4;
const kept = new Map();
const waiting = [];
let under = 0;

/** The address of a picture in this page's memory. `wanted()` is checked when its turn comes. */
function picture(path, wanted = () => true) {
  const known = kept.get(path);
  if (known) {
    kept.delete(path);
    kept.set(path, known);
    return known;
  }
  const asked = new Promise((resolve, reject) => waiting.push({ path, wanted, resolve, reject }));
  kept.set(path, asked);
  // A failed or dropped load starts again the next time.
  asked.then(drop, () => kept.get(path) === asked && kept.delete(path));
  next();
  return asked;
}

async function next() {
  if (under >= AT_ONCE || !waiting.length) return;
  // The latest request first: it is for the rows now in view.
  const { path, wanted, resolve, reject } = waiting.pop();
  if (!wanted()) {
    reject(new Error("nobody waits"));
    return next();
  }
  under += 1;
  try {
    const answer = await api("GET", path, { raw: true, headers: { Accept: "image/jpeg" } });
    resolve(URL.createObjectURL(await readBody(answer.blob())));
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
