// A link as it is taken elsewhere: to read, to copy, and as a code for the phone that writes the tag.

import { h } from "../Shell/h.js";
import { copyButton, facts } from "../Shell/parts.js";
import { clock, read } from "../Shell/time.js";
import { qr } from "./qr.js";
import { trigger as words } from "./words.js";

export function linkParts(url) {
  const code = qr(url, words.qr);
  return [h("p.link-text.mono", { "aria-label": words.link }, url), code && h("div.qr", code)];
}

/** What the house has just made. Keys, and a live link, are shown here alone. `done` is called when it is put away. */
export function madeCard(made, { done }) {
  const keys = [["meta_key", words.meta], ["file_key", words.file]].filter(([name]) => made[name]);
  const body = made.kind === "live" ? words.madeLiveBody(clock(read(made.expires_at), { seconds: true })) : made.kind === "sun" ? words.madeSunBody : words.madeBody;
  const head = h("h3", { tabindex: "-1" }, { live: words.madeLive, static: words.made, sun: words.madeSun }[made.kind]);
  const node = h("article.panel.padded.once", head, h("p.small.third", body), linkParts(made.url),
    keys.length ? [h("p", h("strong", words.once)), facts(keys.map(([name, word]) => [word, h("span.mono.fingerprint", made[name])]))] : null,
    h("div.row-buttons", copyButton(words.copy, () => made.url, "filled"),
      keys.length ? copyButton(words.copyKeys, () => keys.map(([name, word]) => `${word} ${made[name]}`).join("\n")) : null,
      h("button.button.outlined", { type: "button", onclick: done }, words.done)));
  node.head = head;
  return node;
}
