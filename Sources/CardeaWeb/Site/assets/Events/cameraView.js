// The picture of a camera, loaded again and again while the page is visible.

import { age, api, fill, h, HubError, icon, now, timeElement, readBody } from "../Shell/ui.js";
import { cameras as words } from "./words.js";

const EVERY = 10000, PATIENCE = 5000;

/** Returns `{ node, age, show(camera) }`: the picture in its box, and its age as words. With `live` it shows a stream, if camera and hub can. */
export function cameraPicture(id, name, { until, live = false }) {
  const image = h("img", { alt: words.of(name), hidden: true, decoding: "async" });
  const said = h("span.camera-said", { hidden: true });
  const node = h("span.shot.camera-shot", image, said);
  const aged = h("span.small.third", words.waiting);
  const path = `/cameras/${encodeURIComponent(id)}`;
  let timer = 0, near = false, on = true, url = null, at = 0, under = null, flows = live;

  const watched = new IntersectionObserver((all) => {
    near = all.at(-1).isIntersecting;
    wake();
  });
  watched.observe(node);
  document.addEventListener("visibilitychange", wake);
  until(() => {
    on = false;
    watched.disconnect();
    document.removeEventListener("visibilitychange", wake);
    rest();
    if (url) URL.revokeObjectURL(url);
  });

  function rest() {
    clearTimeout(timer);
    timer = 0;
    if (under) under.abort();
    under = null;
  }

  function wake() {
    if (!on || !near || document.hidden) return rest();
    if (!under && !timer) look();
  }

  async function look() {
    clearTimeout(timer);
    timer = 0;
    const mine = (under = new AbortController());
    let wait = EVERY;
    try {
      if (flows) await flow(mine);
      else await still(mine);
    } catch (error) {
      if (under !== mine) return;
      if (!(error instanceof HubError)) throw error;
      // If the hub has no stream to spare, single pictures follow each other.
      if (flows && !error.offline && error.code !== "camera_offline") {
        flows = false;
        wait = 0;
      } else {
        trouble(error);
        wait = Math.max(PATIENCE, error.retryAfter * 1000);
      }
    }
    if (under !== mine) return;
    under = null;
    if (on && near && !document.hidden) timer = setTimeout(look, live && wait === EVERY ? PATIENCE / 2 : wait);
  }

  async function still(mine) {
    const late = setTimeout(() => mine.abort(), 2 * EVERY);
    const answer = await api("GET", `${path}/snapshot`, { raw: true, signal: mine.signal, headers: { Accept: "image/jpeg" } }).finally(() => clearTimeout(late));
    draw(await readBody(answer.blob()), age);
  }

  /** The parts of a stream, each preceded by its length. */
  async function flow(mine) {
    const answer = await api("GET", `${path}/preview`, { raw: true, signal: mine.signal, headers: { Accept: "multipart/x-mixed-replace" } });
    const reader = answer.body.getReader();
    let held = new Uint8Array(0);
    for (;;) {
      const { done, value } = await readBody(reader.read());
      if (done) return;
      const more = new Uint8Array(held.length + value.length);
      more.set(held);
      more.set(value, held.length);
      held = more;
      for (let part = partOf(held); part; part = partOf(held)) {
        if (part.whole) draw(new Blob([part.whole], { type: "image/jpeg" }), () => words.live);
        held = held.slice(part.end);
      }
    }
  }

  function draw(blob, wordsOf) {
    const fresh = URL.createObjectURL(blob);
    if (url) URL.revokeObjectURL(url);
    url = fresh;
    image.src = url;
    image.hidden = false;
    said.hidden = true;
    node.classList.remove("camera-old");
    at = now();
    if (aged.live !== wordsOf || wordsOf === age) fill(aged, wordsOf === age ? [`${words.last} `, timeElement(at, age)] : words.live);
    aged.live = wordsOf === age ? null : wordsOf;
  }

  function trouble(error) {
    said.hidden = false;
    fill(said, icon("link-off", "i14"), h("span", node.why ? words.offlineWhy(node.why) : error.offline ? words.offline : words.noPicture));
    node.classList.add("camera-old");
    aged.live = null;
    fill(aged, at ? [`${words.last} `, timeElement(at, age)] : words.noPicture);
  }

  return {
    node, age: aged,
    /** Shows the camera's status. */
    show(camera) {
      node.why = camera.is_online ? null : camera.reason;
      if (!camera.is_enabled) {
        on = false;
        rest();
        said.hidden = false;
        fill(said, icon("link-off", "i14"), h("span", words.off));
        fill(aged);
      } else if (!on) {
        on = true;
        said.hidden = true;
        wake();
      }
    },
  };
}

/** The first part in these bytes: `{ whole, end }`; undefined until it is complete. */
function partOf(bytes) {
  const ends = bytes.findIndex((byte, index) => byte === 13 && bytes[index + 1] === 10 && bytes[index + 2] === 13 && bytes[index + 3] === 10);
  if (ends < 0) return null;
  const length = Number((/content-length: *(\d+)/i.exec(new TextDecoder().decode(bytes.subarray(0, ends))) || [])[1]);
  if (!length) return { end: ends + 4 };
  return bytes.length < ends + 4 + length ? null : { whole: bytes.slice(ends + 4, ends + 4 + length), end: ends + 4 + length };
}
