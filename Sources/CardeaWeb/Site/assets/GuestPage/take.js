// From a link or a spoken code to a pass.

import { fill, h, icon, put } from "../Shell/h.js";
import { countdown } from "../Shell/time.js";
import { mine } from "./kept.js";
import { pair, pending, scanned } from "./pass.js";
import { refusal, words } from "./words.js";

const INSIDE_AN_APP = /FBA[NV]|Instagram|Line\/|MicroMessenger|Telegram|WhatsApp|; wv\)/;

const button = (style, word, onclick) => h(`button.button.${style}.wide.big`, { onclick }, word);

/** A page before the pass: what it is, in words, and what can be done. */
function tell(page, head, text, doing, ...more) {
  document.title = head;
  fill(page.main, h("p.over", words.aPass), h("h1.door", { tabindex: "-1" }, head), text && h("p.lead", text), more, h("div.space"), h("div.do", doing));
}

export const none = (page) => tell(page, words.none, words.noneBody, codeForm(page));

/** The page of a link: one button, because taking binds the pass to this browser. */
export function take(page, code) {
  const waiting = pending.get();
  if (waiting && waiting.code === code) return pairing(page, code);
  // Told only after the page is painted, and it uses nothing: a preview that runs no script says nothing at all.
  setTimeout(() => scanned(code).catch(() => {}), 50);
  const begin = () => pairing(page, code);
  if (INSIDE_AN_APP.test(navigator.userAgent)) {
    const copy = button("filled", words.copyLink, async () => {
      try {
        await navigator.clipboard.writeText(location.href);
        put(copy, words.copied);
      } catch {
        copy.replaceWith(h("input.input", { readonly: true, value: location.href, "aria-label": words.copyLink }));
      }
    });
    tell(page, words.inApp, words.inAppBody, [copy, button("plain", words.takeHere, begin)]);
  } else {
    tell(page, words.takeTitle, words.takeBody, button("filled", words.take, begin), /iPhone|iPad/.test(navigator.userAgent) && h("details.fold", h("summary", words.longer), h("p", words.longerBody)));
  }
  page.main.append(h("p.fine", page.mine ? words.replaces : words.takeNote));
}

/** Asks for the pass; a reload goes on asking while the house has not said yes. With `ask_again` for one that this browser had, and forgot. */
async function pairing(page, code, ask_again) {
  if (ask_again || (pending.get() || {}).code !== code) pending.set({ code, ask_again });
  const again = () => pairing(page, code);
  const place = document.querySelector(".do");
  if (place) fill(place, h("div.button.filled.wide.big.busy", { role: "status" }, words.taking));
  const answer = await pair(code).catch(() => null);
  if (!answer) return stuck(page, words.offline, again);
  if (answer.status === 202) {
    const { number } = answer.body;
    const shown = document.querySelector(".ask-number");
    if (place || !shown || shown.textContent !== number) {
      tell(page, words.pending, words.pendingPair, null, h("p.ask-number", number), h("p.lead", words.numberNote));
      document.querySelector(".do").remove();
      page.say(`${words.pending}. ${words.number(number)}`);
    }
    return setTimeout(again, 3000);
  }
  if (answer.error === "pairing_code_invalid" && /^cardea_gl_/.test(code) && !ask_again) return used(page, code);
  if (!answer.ok) return stuck(page, refusal(answer.error, answer.body), again);
  const { guest_token: token, ...pass } = answer.body;
  page.mine = { token, pass, code };
  await mine.set(page.mine);
  page.back();
}

/** The link was used. Where it was used here, and a browser that clears its storage has lost the pass, the house can give it back. */
function used(page, code) {
  tell(page, words.usedTitle, words.usedBody, [button("filled", words.askAgain, () => pairing(page, code, true)), page.mine && button("plain", words.back, page.back)], h("p.lead", words.usedElse));
  page.alarm(`${words.usedTitle}. ${words.usedBody}`);
}

/** A pairing that can go no further by itself. */
function stuck(page, no, again) {
  tell(page, no.title, no.text, no === words.offline ? button("filled", words.tryNew, again) : !no.wait && (page.mine ? button("outlined", words.back, page.back) : codeForm(page)));
  if (no.wait) freeAfter(document.querySelector(".do"), no.wait, again);
  page.alarm(`${no.title}. ${no.text}`);
}

/** A button that counts down and then frees itself. */
export function freeAfter(place, seconds, run) {
  const end = Date.now() + seconds * 1000;
  const free = button("outlined", "", () => end < Date.now() && run());
  place.append(free);
  const tick = () => {
    const left = end - Date.now();
    put(free, left > 0 ? words.again(countdown(left)) : words.tryNew);
    if (left > 0) free.setAttribute("aria-disabled", "true", setTimeout(tick, 500));
    else free.removeAttribute("aria-disabled");
  };
  tick();
}

/** The ten characters someone read out; spaces, dashes and small letters are forgiven. */
function codeForm(page) {
  const error = h("span.field-error", { id: "code-error" });
  const input = h("input.input.mono", { id: "code", autocomplete: "one-time-code", autocapitalize: "characters", spellcheck: "false", "aria-describedby": "code-help code-error" });
  return h("form.code", { novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    const code = input.value.normalize("NFKC").toUpperCase().replace(/[^0-9A-Z]/g, "");
    if (code.length === 10) return pairing(page, code);
    fill(error, icon("alert", "i14"), words.codeShort(code.length));
    input.setAttribute("aria-invalid", "true");
    input.focus();
  } }, h("label.field-label", { for: "code" }, words.typed), input, h("span.field-help", { id: "code-help" }, words.codeHelp), error, h("button.button.outlined.wide.big", words.codeUse));
}
