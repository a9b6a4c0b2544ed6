// A picture in its box: the box is there at once, the picture when it comes, and the reason where there is none.

import { h, put } from "../Shell/h.js";
import { picture } from "./pictures.js";
import { events as words } from "./words.js";

export const thumbnail = (id) => `/mobile/events/${encodeURIComponent(id)}/thumbnail`;
export const large = (id) => `/events/${encodeURIComponent(id)}/picture`;

/** A box with the picture at `path`; `alt` is empty where the words beside it say it already. */
export function shot(path, { alt = "", className = "", corner } = {}) {
  const image = h("img", { alt, decoding: "async", hidden: true });
  const why = h("span.shot-why.small", { hidden: true });
  const box = h(`span.shot${className && `.${className}`}`, image, why, corner);
  let started = false;
  /** Asked for when the box is on the page, and again where nobody waited the last time. */
  box.load = async () => {
    if (started) return;
    started = true;
    try {
      image.src = await picture(path, () => box.isConnected);
      // One that was dropped from memory before it was drawn is asked for once more.
      await image.decode();
      image.hidden = false;
    } catch (error) {
      if (!error.status && !error.offline) started = false;
      else {
        put(why, error.status === 404 ? words.pictureGone : words.pictureFailed);
        why.hidden = false;
      }
    }
  };
  return box;
}
