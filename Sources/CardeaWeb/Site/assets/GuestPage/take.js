// From a link to a pass.

import { fill, h } from "../Shell/h.js";
import * as hub from "./hub.js";
import { command as kept, newKey, save } from "./keep.js";
import { words } from "./words.js";

const INSIDE_AN_APP = /FBAN|FBAV|FB_IAB|Instagram|Line\/|MicroMessenger|Twitter|Snapchat|Telegram|WhatsApp|LinkedInApp|; wv\)/;

const says = {
  takeTitle: "This is a pass",
  takeBody: "It opens a door of this house. Take it on the phone you will stand at the door with: a pass works on one phone only.",
  take: "Use this pass on this phone",
  taking: "Taking the pass…",
  replaces: "This browser already holds a pass. Taking this one puts it in its place.",
  longer: "Staying longer than a week?",
  longerBody: "Add this page to the home screen first and take the pass from there. Some browsers forget a page that was not opened for seven days.",
};

/** The page of a link: one button, because taking binds the pass to this browser. */
export async function take(page, code) {
  page.title(words.aPass);
  const pending = kept.get();
  if (pending && pending.code === code) return pairing(page, pending);
  // Told only after the page is painted, and it uses nothing: a preview that runs no script says nothing at all.
  setTimeout(() => hub.scanned(code).catch(() => {}), 50);
  const begin = () => pairing(page, { code, key: newKey() });
  if (INSIDE_AN_APP.test(navigator.userAgent)) return (await page.rare()).insideAnApp(page, begin);
  fill(page.main, h("p.over", words.aPass), h("h1.door", says.takeTitle), h("p.lead", says.takeBody),
    /iPhone|iPad/.test(navigator.userAgent) ? h("details.fold", h("summary", says.longer), h("p", says.longerBody)) : null,
    h("div.space"), h("div.do", { id: "do" }, h("button.button.filled.wide.big", { type: "button", onclick: begin }, says.take)),
    h("p.fine", page.mine ? says.replaces : words.takeNote));
}

/** Asks for the pass; `attempt` is `{ code, key }` and survives a reload while the house has not said yes. */
export async function pairing(page, attempt) {
  kept.set(attempt);
  if (!document.getElementById("yes")) fill(document.getElementById("do") || page.main, h("div.button.filled.wide.big.busy", { role: "status" }, says.taking));
  let answer;
  try {
    answer = await hub.pair(attempt.code, attempt.key);
  } catch {
    return (await page.rare()).stuck(page, words.offline, words.offlineBody, { again: () => pairing(page, attempt) });
  }
  if (answer.status === 202) {
    (await page.rare()).waitForYes(page);
    return setTimeout(() => pairing(page, attempt), Math.max(2, Number(answer.body.retry_after) || 3) * 1000);
  }
  kept.clear();
  if (!answer.ok) {
    const no = (await page.refusals()).refusal(answer.error, answer.body, null);
    return (await page.rare()).stuck(page, no.title, no.text, no.wait ? { wait: no.wait, again: () => pairing(page, attempt) } : {});
  }
  const { guest_token: token, ...pass } = answer.body;
  page.mine = { token, pass, code: attempt.code };
  await save(page.mine);
  page.back();
  page.say(`${words.yourPass} ${page.entitiesOf(pass).map((e) => e.name).join(", ")}`);
}
