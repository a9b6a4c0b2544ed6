// One door command from the hand to its outcome, shown on its leaf.

import { put } from "../Shell/h.js";
import { countdown, now } from "../Shell/time.js";
import * as hub from "./hub.js";
import { command as kept } from "./keep.js";
import { words } from "./words.js";

/** Carries `command` to its outcome; the key stays in this browser until then, so that a reload asks for the same one. */
export async function follow(page, entity, command) {
  const leaf = page.view.leaves.get(entity.entity_id);
  const end = command.at + hub.DEADLINE;
  const left = () => Math.max(0, Math.ceil((end - Date.now()) / 1000));
  page.busy.add(entity.entity_id);
  kept.set({ ...command, fresh: false });
  delete leaf.dataset.ended;
  page.view.note = null;
  const line = leaf.waiting(words.waiting(left()), words.waitingHelp);
  page.say(words.waiting(0));
  let until = 0;
  const ticking = setInterval(() => until ? put(line.second, words.pendingBody(countdown(until - now()))) : put(line.label, words.waiting(left())), 250);
  let answer = await hub.carry(page.mine.token, command, (news) => {
    if (!news.until) return put(line.second, news === "nolink" ? words.offlineNow : words.waitingHelp);
    if (!until) page.say(words.pending);
    until = news.until;
    put(line.label, words.pending);
  }, kept.set);
  clearInterval(ticking);
  if (answer.kind === "lost") answer = await whatHappened(page, command);
  await show(page, entity, leaf, command, answer);
  kept.clear();
  page.busy.delete(entity.entity_id);
  page.look();
}

/** The answer was lost on the way. The count of uses tells whether the house took the command; if not even that is known, we say so. */
async function whatHappened(page, command) {
  for (let round = 0; round < 3; round += 1) {
    try {
      const answer = await hub.pass(page.mine.token);
      if (answer.ok) page.renew(answer.body);
      return { kind: answer.ok && (answer.body.used_count || 0) <= command.used ? "unheard" : "unsure", link: true };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
  return { kind: "unsure", link: true };
}

async function show(page, entity, leaf, command, { kind, error, body = {}, link }) {
  const { view } = page;
  const { garage } = leaf.what;
  const glyph = (state) => (garage ? `g-${state}` : `d-${state}`);
  const pick = ({ remaining_uses, used_count }) => ({ ...(remaining_uses !== undefined && { remaining_uses }), ...(used_count !== undefined && { used_count }) });
  page.renew(pick(body));
  const { pass } = page.mine;
  const more = !pass.max_uses || pass.remaining_uses > 0;
  const again = () => {
    view.note = null;
    view.below = words.finePrint;
    page.renew({});
    if (!view.over) leaf.rest();
    page.look();
  };
  const no = (face, tone, drawing, { title, text }, label, note) => {
    view.note = note;
    leaf.say(face, { tone, drawing, title, text, action: label && [label, again] });
    page.alarm(`${title}. ${text}`);
  };
  view.below = words.finePrint;
  if (kind === "open") {
    const text = garage ? words.openCover : words.openBody;
    leaf.open(text, words.openedAt(now()), more ? again : null);
    page.say(`${words.open}. ${text}`);
  } else if (kind === "unsure") {
    view.below = words.unsureNote(command.at);
    no("unsure", "unknown", glyph("unknown"), { title: words.unsure, text: link ? words.unsureLink : words.unsureBody }, more && words.tryAgain, words.counted);
  } else if (kind === "failed") {
    const why = (await import("./refusals.js")).failure(body);
    no("failed", "danger", why.jammed ? glyph("jammed") : garage ? "g-shut" : "d-locked", why, words.tryNew, body.use_returned === false ? null : words.free);
  } else if (kind === "unheard") {
    no("failed", "danger", "link-off", { title: words.neverHeard, text: words.neverHeardBody }, words.tryNew, words.free);
  } else if (kind === "unanswered") {
    no("refused", "info", "ask", { title: words.unanswered, text: words.unansweredBody }, words.tryNew, words.free);
  } else {
    const why = (await import("./refusals.js")).refusal(error, body, pass, entity.name);
    view.below = words.refusedNote(now());
    no(why.over ? "over" : "refused", why.early ? "info" : "danger", garage ? "g-shut" : "d-locked", why, !why.over && !why.wait && words.back, why.over ? null : words.free);
    if (why.over) {
      leaf.dataset.ended = error;
      view.over = true;
    }
    if (why.wait) import("./rare.js").then((rare) => rare.freeAfter(leaf.querySelector(".said"), why.wait, again));
  }
  page.renew({});
}
