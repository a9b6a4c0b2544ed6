// A link as it is taken elsewhere: to read, to copy, and as a code for the phone that writes the tag.

import { clock, copyButton, facts, fill, h, now, read } from "../Shell/kit.js";
import { qr } from "../Shell/qr.js";
import { trigger as words } from "./words.js";

export function linkParts(url) {
  const code = h("div.qr");
  qr("/tags/qr.svg", words.qr, { url }).then((picture) => fill(code, picture), () => code.remove());
  return [h("p.link-text.mono", { "aria-label": words.link }, url), code];
}

/** What the house has just made. Keys, and a live link, are shown here alone, and a live one no longer than it is good. `done` puts it away. */
export function madeCard(made, { until, done }) {
  const keys = [["meta_key", words.meta], ["file_key", words.file]].filter(([name]) => made[name]);
  const body = made.kind === "live" ? words.madeLiveBody(clock(read(made.expires_at), { seconds: true })) : made.kind === "sun" ? words.madeSunBody : words.madeBody;
  const head = h("h3", { tabindex: "-1" }, { live: words.madeLive, static: words.made, sun: words.madeSun }[made.kind]);
  const link = h("div", linkParts(made.url)), said = h("p.small.third", { role: "status" }, body);
  const node = h("article.panel.padded.once", head, said, link,
    keys.length ? [h("p", h("strong", words.once)), facts(keys.map(([name, word]) => [word, h("span.mono.fingerprint", made[name])]))] : null,
    h("div.row-buttons", copyButton(words.copy, () => made.url, "filled"),
      keys.length ? copyButton(words.copyKeys, () => keys.map(([name, word]) => `${word} ${made[name]}`).join("\n")) : null,
      h("button.button.outlined", { onclick: done }, words.done)));
  node.head = head;
  if (made.kind === "live") {
    const end = setTimeout(() => {
      fill(link);
      fill(said, words.over);
      node.querySelector(".filled").remove();
    }, Math.max(0, read(made.expires_at) - now()));
    until(() => clearTimeout(end));
  }
  return node;
}
