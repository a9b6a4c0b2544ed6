// What one does about a tag: take it out, say that it still shall, look into an alarm.

import { api, capital, confirm, during, h, icon, newKey, refresh, shortMoment } from "../Shell/kit.js";
import { nameOf, tags } from "./buttons.js";
import { tags as words } from "./words.js";

/** Asks, and takes it out. */
export async function removeTag(tag, { say, failed, removed }) {
  if (!(await confirm({ title: words.removeTitle(nameOf(tag)), body: words.removeBody, verb: words.remove }))) return;
  try {
    await api("DELETE", `/tags/${encodeURIComponent(tag.tag_id)}`, { key: newKey() });
    say(words.removed(nameOf(tag)));
    await refresh(tags);
    removed();
  } catch (error) {
    failed(error);
  }
}

/** Says that it still presses its button as that is now: what somebody read is what they say it of. */
export function renewTag(tag, presser, { say, failed }) {
  return during(presser, words.renewing, async () => {
    const { version } = await api("GET", `/buttons/${encodeURIComponent(tag.button_id)}`);
    await api("PUT", `/tags/${encodeURIComponent(tag.tag_id)}`, { body: { button_version: version } });
    say(words.renewed(nameOf(tag)));
    await refresh(tags);
  }, failed);
}

/** A copy of a tag, or of its link, was used: what happened, and what to do now. */
export const alarmPanel = (tag, ...more) => h("section.tag-alarm-panel", { "aria-label": words.alarmed }, h("h2", icon("alert", "i20"), h("span", words.alarm.title(nameOf(tag)))),
  h("p", words.alarm.why(sentenceMoment(tag.alarmed_at))), h("p", h("strong", words.alarm.now)), h("ol", words.alarm.steps.map((step) => h("li", step))), h("div.row-buttons", h("a.button.outlined", { href: "/activity" }, words.alarm.activity), more));

const sentenceMoment = (at) => {
  const moment = shortMoment(Date.parse(at));
  return /^\d+:\d/.test(moment) ? `At ${moment}` : capital(moment);
};
