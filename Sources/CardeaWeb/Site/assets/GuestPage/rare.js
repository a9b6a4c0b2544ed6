// What few guests meet: no pass here, a code to type, a pairing refused, an app's own browser, lamps on a pass.

import { fill, h, icon, id, put } from "../Shell/h.js";
import { countdown } from "../Shell/time.js";
import * as hub from "./hub.js";
import { newKey } from "./keep.js";
import { pairing } from "./take.js";
import { failure, refusal } from "./refusals.js";
import { words as common } from "./words.js";

const words = {
  inApp: "Open this in your browser first",
  inAppBody: "You are looking at this inside another app, and the pass stays where you take it. Copy the link and open it in Safari, Chrome or Firefox.",
  copyLink: "Copy link", copied: "Copied", takeHere: "Take it here all the same",
  none: "There is no pass in this browser",
  noneBody: "A pass stays in the browser that took it. Open your link there, or ask the house for a new link.",
  typed: "A code to type?", codeHelp: "Ten letters and digits, read out by someone in the house", codeUse: "Use this code",
  codeShort: (n) => `A code has 10 letters and digits, this has ${n}.`,
  pendingPair: "Your pass is ready as soon as someone in the house says yes. Leave this page open.",
  again: (left) => `Again in ${left}`,
  verbs: { on: "On", off: "Off", open: "Open", close: "Close", stop: "Stop", press: "Press" },
  locked: "Locked.",
};

export function none(page) {
  page.title(words.none);
  fill(page.main, h("p.over", common.aPass), h("h1.door", words.none), h("p.lead", words.noneBody), h("div.space"), codeForm(page));
}

export function insideAnApp(page, begin) {
  const copy = h("button.button.filled.wide.big", { type: "button", onclick: async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      put(copy, words.copied);
      page.say(words.copied);
    } catch {
      copy.replaceWith(h("input.input", { readonly: true, value: location.href, "aria-label": words.copyLink }));
    }
  } }, words.copyLink);
  fill(page.main, h("p.over", common.aPass), h("h1.door", words.inApp), h("p.lead", words.inAppBody), h("div.space"),
    h("div.do", { id: "do" }, copy, h("button.button.plain.wide", { type: "button", onclick: begin }, words.takeHere)), h("p.fine", common.takeNote));
}

/** The house has to say yes to this phone. */
export function waitForYes(page) {
  if (document.getElementById("yes")) return;
  page.title(common.pending);
  fill(page.main, h("p.over", common.aPass), h("h1.door", { id: "yes", tabindex: "-1" }, common.pending), h("p.lead", words.pendingPair), h("div.space"), h("p.fine", common.takeNote));
  page.say(common.pending);
}

/** A pairing that can go no further by itself. */
export function stuck(page, head, text, { again, wait }) {
  page.title(head);
  const foot = h("div.do");
  fill(page.main, h("p.over", common.aPass), h("h1.door", { tabindex: "-1" }, head), text && h("p.lead", text), h("div.space"), foot);
  page.alarm(`${head}. ${text || ""}`);
  if (wait) freeAfter(foot, wait, again);
  else if (again) foot.append(h("button.button.filled.wide.big", { type: "button", onclick: again }, common.tryNew));
  else if (page.mine) foot.append(h("button.button.outlined.wide.big", { type: "button", onclick: page.back }, common.back));
  else foot.append(codeForm(page));
}

/** A button that counts down and then frees itself. */
export function freeAfter(place, seconds, run) {
  const end = Date.now() + seconds * 1000;
  const button = h("button.button.outlined.wide.big", { type: "button", "aria-disabled": "true", onclick: () => button.hasAttribute("aria-disabled") || run() });
  place.append(button);
  const tick = () => {
    const left = end - Date.now();
    if (left <= 0) button.removeAttribute("aria-disabled");
    else if (button.isConnected) setTimeout(tick, 500);
    put(button, left > 0 ? words.again(countdown(left)) : common.tryNew);
  };
  tick();
}

/** The ten characters someone read out; spaces, dashes and small letters are forgiven. */
function codeForm(page) {
  const own = id("code");
  const error = h("span.field-error", { id: `${own}-error`, hidden: true });
  const input = h("input.input.mono", { id: own, autocomplete: "one-time-code", autocapitalize: "characters", spellcheck: "false", "aria-describedby": `${own}-help ${own}-error` });
  return h("form.code", { id: "do", novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    const code = input.value.normalize("NFKC").toUpperCase().replace(/[^0-9A-Z]/g, "");
    if (code.length === 10) return pairing(page, { code, key: newKey() });
    error.hidden = false;
    fill(error, icon("alert", "i14"), words.codeShort(code.length));
    input.setAttribute("aria-invalid", "true");
    input.focus();
  } }, h("label.field-label", { for: own }, words.typed), input, h("span.field-help", { id: `${own}-help` }, words.codeHelp), error, h("button.button.outlined.wide.big", words.codeUse));
}

/** Lamps and the like on a pass: words and plain buttons, they need no leaf. */
export function thing(page, row, entity) {
  const buttons = entity.allowed_actions.map((action) => {
    const word = words.verbs[action.split(".").pop()];
    return word && h("button.button.outlined", { type: "button", "aria-label": `${entity.name}: ${word}`, onclick: ({ currentTarget }) => act(page, entity, action, currentTarget) }, word);
  }).filter(Boolean);
  row.className = "other";
  fill(row, h("span.other-name", entity.name), h("span.other-do", buttons));
}

/** Acts at one touch and says how it went on its own button. */
export async function act(page, entity, action, button) {
  if (button.getAttribute("aria-disabled")) return;
  const label = button.firstChild.textContent;
  const show = (text) => put(button.firstChild, text);
  button.setAttribute("aria-disabled", "true");
  try {
    const answer = await hub.act(page.mine.token, { key: newKey(), action, entity_id: entity.entity_id });
    if (answer.ok) {
      if (action.endsWith("lock")) show(words.locked);
      page.say(`${entity.name}: ${label}`);
      const leaf = page.view.leaves.get(entity.entity_id);
      if (leaf && leaf.dataset.face === "open" && !page.view.over) leaf.rest();
    } else {
      const no = answer.error === "action_execution_failed" ? failure(answer.body) : refusal(answer.error, answer.body, page.mine.pass, entity.name);
      show(no.title);
      page.alarm(`${no.title}. ${no.text}`);
    }
  } catch {
    show(common.offline);
    page.alarm(common.offline);
  }
  setTimeout(() => {
    show(label);
    button.removeAttribute("aria-disabled");
  }, 3000);
  page.look();
}
