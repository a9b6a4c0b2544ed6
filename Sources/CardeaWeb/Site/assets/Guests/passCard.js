// The pass as it is handed over: house, name, doors, QR, code, link. The QR is black on white in both themes.

import { copyButton, facts, failed, fill, h, HubError, icon, read, session, text } from "../Shell/kit.js";
import { qr } from "../Shell/qr.js";
import { placesOf, statusTag, whenOf } from "./passRow.js";

const words = text.pass;

/** `link` and `pairing_code` are there only just after making; later the code is shown when asked for. */
export function passCard(guest) {
  const handed = guest.link;
  const picture = h("div.qr", { tabindex: "-1" });
  const spoken = guest.pairing_code ? `${guest.pairing_code.slice(0, 4)} ${guest.pairing_code.slice(4, 8)} ${guest.pairing_code.slice(8)}` : null;
  const node = h("article.panel.pass-card",
    h("div.pass-top", h("p.brand", icon("mark"), h("span", session.house.name)), statusTag(guest)),
    h("h2.pass-name", guest.name), h("p.third", placesOf(guest)), picture,
    facts([
      [words.when, whenOf(guest)],
      [words.openings, guest.max_uses ? text.guests.uses(guest) : words.noLimit],
      [words.code, spoken && h("span", h("span.mono.code", spoken), guest.pairing_expires_at && h("span.small.third.code-note", words.codeUntil(read(guest.pairing_expires_at))))],
    ]),
    handed ? h("div.row-buttons.pass-do",
      navigator.share && h("button.button.filled", { onclick: () => navigator.share({ title: words.shareText(session.house.name), text: words.shareText(session.house.name), url: guest.link }).catch(() => {}) }, icon("share", "i18"), words.share),
      copyButton(words.copyLink, () => guest.link, navigator.share ? "outlined" : "filled"),
      spoken && copyButton(words.copyCode, () => guest.pairing_code),
      h("button.button.outlined", { onclick: () => print() }, icon("print", "i18"), words.print)) : null);
  if (handed) node.append(h("p.vh", { "data-link": guest.link }));
  if (handed) draw();
  else if (guest.status === "waiting") fill(picture, h("button.button.outlined", { onclick: draw }, words.show));
  else picture.remove();

  async function draw() {
    const held = picture.contains(document.activeElement);
    fill(picture, h("p.small.third", words.qrWait));
    if (held) picture.focus();
    try {
      fill(picture, await qr(`/guests/${encodeURIComponent(guest.guest_id)}/qr.svg`, words.qr));
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      fill(picture, error.status === 410 || error.status === 404 ? h("p.small.third", words.qrGone) : failed(error, draw, words.qrFailed));
    }
  }
  return node;
}
