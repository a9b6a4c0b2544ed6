// A QR code as the hub draws it.

import { api, readBody } from "./api.js";
import { h } from "./dom.js";

/** The QR code that the hub returns at `path`, for `body` if there is one. */
export async function qrImage(path, alt, body) {
  const answer = await api(body ? "POST" : "GET", path, { body, raw: true, headers: { Accept: "image/svg+xml" } });
  const src = URL.createObjectURL(await readBody(answer.blob()));
  return h("img", { src, alt, width: "232", height: "232", onload: () => URL.revokeObjectURL(src) });
}
