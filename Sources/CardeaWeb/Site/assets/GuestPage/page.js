// The guest's page: take the pass, see what it opens, open it. One page, no account, no way to anywhere else.

import { fill, h, icon, setText } from "../Shell/dom.js";
import { DAY, now, read, setNow, setZone } from "../Shell/time.js";
import { register } from "../Shell/serviceWorker.js";
import { withLock, canVerify, canPersist, createPasskey, passStore } from "./storage.js";
import { sendAction, runCommand, countdownButton, realtime, connect, newKey, pair, pending, restore, reportScan, passStatus } from "./pass.js";
import { refusal, words } from "./words.js";

const voice = (name) => (text) => setText(document.getElementById(name), text);
const verbOf = (action) => action.split(".").pop();

/** What the parts of this page share. `mine` is what storage.js keeps; `code` that of the link to be taken; `busy` the doors whose outcome is awaited. */
const page = { main: document.querySelector("main"), mine: undefined, busy: new Set(), say: voice("polite"), alarm: voice("assertive"), look, note, over, back, sync };
let view = null, timer;

async function start() {
  page.mine = await passStore.load();
  const code = codeIn(location.hash.slice(1));
  // The same link opened a second time on the phone that took the pass is simply the pass.
  if (code && !(page.mine && page.mine.code === code)) take(page, code);
  else if (page.mine) paint();
  else none(page);
  addEventListener("hashchange", () => location.reload());
  for (const news of ["online", "focus", "storage"]) addEventListener(news, look);
  document.addEventListener("visibilitychange", look);
  register("/g", "&guest=1");
}

/** To the pass. Only now the code leaves the address: until here, "open in another browser" still had it. */
function back() {
  page.code = undefined;
  // It was the line of another pass.
  if (realtime.end) realtime.end();
  history.replaceState(null, "", "/g");
  paint();
}

/** Whether another tab of this browser took a pass, or lost the one of this page, which is shown then. A page about another link stays with that. */
async function sync() {
  if (page.busy.size) return;
  const was = page.mine || {};
  const kept = await passStore.load();
  if ((kept || {}).token === was.token) return;
  page.mine = kept;
  if (page.code && (kept || {}).code !== page.code) return;
  if (kept) back();
  else {
    view = null;
    none(page);
  }
  return true;
}

/** Draws the whole pass once; `renew` keeps its facts true afterwards. */
function paint() {
  const { pass } = page.mine;
  const doors = pass.entities;
  const several = doors.length > 1;
  const head = doors.map((door) => door.name).join(" and ") || pass.name;
  setZone(pass.time_zone);
  setText(document.getElementById("house"), pass.house_name);
  document.title = `${head} · ${words.title}`;
  const fact = (drawing) => {
    const strong = h("strong"), note = h("span.fact-note");
    return { strong, note, node: h("li.fact", icon(drawing), h("span", strong, note)) };
  };
  view = { above: h("p.over"), when: fact("clock"), uses: fact("pass"), fine: h("p.fine"), leaves: [] };
  view.facts = h("ul.facts", view.when.node, view.uses.node);
  fill(page.main, view.above, h(`h1.door${several ? ".many" : ""}`, { tabindex: "-1" }, head), !doors[0] && h("p.lead", words.gone), view.facts,
    h("div.space"), h("ul.leaves", doors.map((door) => h("li", row(door, several)))), view.fine);
  if (isForgotten(pass)) page.main.append(text("visit"));
  note();
  // After a reload: the same command, under the same key.
  const command = pending.get();
  const leaf = command && view.leaves.find((one) => one.door.entity_id === command.entity_id);
  if (leaf) runCommand(page, leaf, command);
  look();
}

/** A door has a leaf, and below it how to shut it again; lamps and the like have plain buttons. */
function row(door, several) {
  const opener = door.allowed_actions.find((action) => /^(open|unlock)$/.test(verbOf(action)));
  const others = door.allowed_actions.filter((action) => action !== opener && words.verbs[verbOf(action)]).map((action) => {
    const word = words.verbs[verbOf(action)];
    return h(`button.button.outlined${opener ? ".wide.below" : ""}`, { onclick: (event) => touch(door, action, event.currentTarget) }, h("span", word), h("span.vh", ` ${door.name}`));
  });
  if (!opener) return h("div.other", h("span.other-name", door.name), h("span.other-do", others));
  const leaf = document.createElement("door-leaf");
  leaf.be(door, several, page.say);
  leaf.addEventListener("open", () => page.busy.has(door.entity_id) || runCommand(page, leaf, { key: newKey(), action: opener, entity_id: door.entity_id, at: Date.now(), used: page.mine.pass.used_count }));
  leaf.rest();
  view.leaves.push(leaf);
  return [leaf, others];
}

/** Acts at one touch and says how it went on its own button. */
async function touch(door, action, button) {
  if (button.getAttribute("aria-disabled")) return;
  const [shown] = button.children, label = shown.textContent;
  const end = (text, say) => {
    setText(shown, text);
    say(`${door.name}: ${text}`);
  };
  button.setAttribute("aria-disabled", "true");
  try {
    const { ok, status, error, body } = await sendAction(page.mine.token, { key: newKey(), action, entity_id: door.entity_id });
    if (ok) {
      end(words.done[verbOf(action)] || label, page.say);
      const leaf = view.leaves.find((one) => one.door === door);
      if (leaf && leaf.dataset.face === "open" && !view.over) leaf.rest();
    } else end(status === 202 ? body.message : refusal(error, body, page.mine.pass, door).title, page.alarm);
  } catch (error) {
    end((error instanceof DOMException ? refusal("presence_required", {}) : words.offline).title, page.alarm);
  }
  setTimeout(() => {
    setText(shown, label);
    button.removeAttribute("aria-disabled");
  }, 3000);
  look();
}

/** What stands beside the uses and below the leaf, until the next outcome. */
function note(beside, below) {
  view.beside = beside;
  view.below = below || (page.mine.forgets ? words.leaveOpen : words.finePrint);
  renew();
}

/** Facts from the hub's last word: until when, how often. One that ended has none. */
function renew() {
  const { pass, heard } = page.mine;
  setText(view.above, view.past ? words.yourPassWas : words.yourPass);
  view.facts.hidden = view.ended;
  setText(view.when.strong, words.until(pass));
  setText(view.when.note, words.untilNote(pass));
  setText(view.uses.strong, words.usesLeft(pass));
  setText(view.uses.note, view.beside || words.usesNote(pass));
  setText(view.fine, view.lost ? words.heard(view.lost, heard ? Date.now() - heard : 0) : (view.over && view.why) || view.below);
  for (const button of document.querySelectorAll(".other button")) button.disabled = view.over;
}

/** Looks now, and again in a while: seldom where the house tells by itself, or where nothing opens before a known moment; never where nothing can change. */
async function look() {
  if (document.hidden || (await sync()) || !view || view.ended) return;
  await ask();
  clearTimeout(timer);
  if (!view || view.ended) return;
  const next = read(page.mine.pass.next_from) - now(), idle = (view.over ? 30 : realtime.live ? 5 : 1) * 10000;
  timer = setTimeout(look, next > 0 && next < idle ? next : idle);
}

/** How the pass stands now. One that ended says so in the leaf's place, for as long as the hub remembers. */
async function ask() {
  const asked = page.mine;
  const { ok, body, error } = await passStatus(asked.token).catch(() => ({}));
  // The answer is about the pass of before.
  if (page.mine !== asked) return;
  if (!body) return lost(words.offline);
  const how = ok ? body.status : error;
  const why = refusal(how, body, ok ? body : page.mine.pass);
  if (!ok && !why.over) return lost(words.trouble);
  asked.heard = Date.now();
  lost(null);
  if (ok) {
    setNow(body.now * 1000);
    // A pass that is over names nothing any more: its page keeps the names it knew.
    const { house_name, entities, ...rest } = body;
    Object.assign(asked.pass, { next_from: 0 }, house_name ? body : rest);
    passStore.renew(asked);
    if (/active|used/.test(body.status)) connect(page);
  } else asked.pass.status = "revoked";
  if (page.busy.size) return;
  if (why.over || why.pause) over(how, why);
  else {
    if (view.over) view.leaves.forEach((leaf) => leaf.rest());
    view.over = view.past = null;
  }
  renew();
}

/** The pass has ended or rests. What just happened at the door stays readable; that the pass is used up stands in the facts. */
function over(standing, why) {
  const before = view.over;
  view.over = standing + page.mine.pass.next_from;
  if (!why) return;
  view.past = why.over;
  view.ended = why.over && standing !== "used_up";
  if (view.ended && view.below === words.finePrint) view.below = "";
  const told = `${why.title}. ${why.text}`;
  // Without a leaf it stands below the buttons.
  if (!view.leaves[0]) {
    view.why = told;
    if (before !== view.over) page.say(told);
  }
  for (const leaf of view.leaves) {
    if ((before === view.over || standing === "used_up") && leaf.dataset.face !== "leaf") continue;
    leaf.say("over", why.pause ? "info" : "quiet", "pass", why, why.pause && !page.mine.pass.next_from && [words.tryNew, look]);
    page.say(told);
  }
}

/** Nothing to be had from the house, or the end of that: the leaf says so in its own place, other outcomes stay readable. */
function lost(said) {
  const was = view.lost;
  view.lost = said;
  if (said) realtime.live = false;
  for (const leaf of view.leaves) {
    if (said && leaf.dataset.face === "leaf" && leaf.dataset.hold !== "holding") leaf.say("offline", "quiet", said === words.offline ? "link-off" : "alert", said, [words.tryNew, look]);
    else if (!said && leaf.dataset.face === "offline") leaf.rest();
  }
  if (said && was !== said) page.alarm(said.title);
  renew();
}

// From a link or a spoken code to a pass.

const { userAgent, standalone } = navigator;
// On iPhones each browser says that it is Safari, and a page inside of an app does not; nor does one of the home screen, where `standalone` is true.
const inside = !standalone && /FBA[NV]|Instagram|Line\/|GSA\/|; wv\)|iP(hone|ad)(?!.*Safari)/.test(userAgent);

/** Whether this phone forgets the pass before it ends: iPhones and iPads do, a week after the last visit, except on the home screen. */
const isForgotten = ({ expires_at }) => !standalone && (standalone === false || /iP(hone|ad)/.test(userAgent)) && read(expires_at) - now() > 7 * DAY;

/** A text of guest.html. */
const text = (name) => document.getElementById(name).content.cloneNode(true);

const button = (style, word, onclick) => h(`button.button.${style}.wide.big`, { onclick }, word);

/** A page before the pass: what it is, in words, and what can be done. */
function tell(page, head, body, doing, ...more) {
  document.title = head;
  fill(page.main, h("p.over", words.aPass), h("h1.door", { tabindex: "-1" }, head), body && h("p.lead", body), more, h("div.space"), h("div.do", doing));
}

function none(page) {
  page.kept = canPersist();
  tell(page, words.none, text("none"), codeForm(page));
  offerBack(page);
}

/** A browser that cleared its storage has the pass again by the passkey that was made with it. */
async function offerBack(page) {
  if (!(await canVerify())) return;
  const place = document.querySelector(".do");
  place.append(button("plain", words.bringBack, async () => {
    const answer = await restore().catch((error) => error);
    if (answer.ok) return taken(page, answer.body);
    // Put away by the guest: nothing has changed.
    if (answer instanceof DOMException) return;
    stuck(page, answer.error ? refusal(answer.error, answer.body) : words.offline, () => none(page));
  }));
}

/** The page of a link: one button, because taking binds the pass to this browser. */
async function take(page, code) {
  page.code = code;
  const waiting = pending.get();
  if (waiting && waiting.code === code) return pairing(page, code);
  page.forgets = !(await canPersist());
  // Another tab took it meanwhile.
  if (view) return;
  const hint = h("div");
  // Told only after the page is painted, and it uses nothing: a preview that runs no script says nothing at all.
  setTimeout(async () => {
    const { error, body } = await reportScan(code).catch(() => ({ body: {} }));
    if (error === "invalid_pairing_code") stuck(page, refusal(error, {}));
    else if (body.presence === "verified" && !(await canVerify())) stuck(page, refusal("verification_required", {}));
    else if (isForgotten(body)) fill(hint, text("install"));
  }, 50);
  const begin = () => pairing(page, code);
  if (inside || page.forgets) {
    const copy = button("filled", words.copyLink, async () => {
      try {
        await navigator.clipboard.writeText(location.href);
        setText(copy, words.copied);
      } catch {
        copy.replaceWith(h("input.input", { readonly: true, value: location.href, "aria-label": words.copyLink }));
      }
    });
    tell(page, inside ? words.inApp : words.forgets, text(inside ? "inside" : "forgets"), [copy, button("plain", words.takeHere, begin)]);
  } else tell(page, words.takeTitle, text("take"), button("filled", words.take, begin), hint);
  page.main.append(h("p.fine", page.mine ? words.replaces : text("passkey")));
}

/** Asks for the pass; a reload goes on asking while the house has not said yes. With `ask_again` for one that this browser had, and forgot. */
async function pairing(page, code, ask_again) {
  const has = () => (page.mine || {}).code === code;
  if (has()) return;
  const isNew = ask_again || (pending.get() || {}).code !== code;
  if (isNew) pending.set({ code, ask_again });
  const again = () => pairing(page, code);
  const place = document.querySelector(".do");
  if (place) fill(place, h("div.button.filled.wide.big.busy", { role: "status" }, words.taking));
  const passkey = isNew ? (await canVerify()) && (await createPasskey(code, words.aPass)) : pending.get().passkey;
  const answer = await withLock(async () => {
    // A tab that was faster shows it here, too.
    await page.sync();
    if (has()) return;
    const answer = await pair(code, passkey || undefined).catch(() => null);
    if (answer && answer.ok) await taken(page, answer.body, code);
    return answer;
  });
  // Whichever tab took it.
  if (has()) return;
  if (!answer) return stuck(page, words.offline, again);
  if (answer.status === 202) {
    const { number, message } = answer.body;
    const shown = document.querySelector(".ask-number");
    if (place || !shown || shown.textContent !== number) {
      tell(page, message, text("asked"), null, h("p.ask-number", number), h("p.lead", text("number")));
      document.querySelector(".do").remove();
      page.say(`${message} ${words.number(number)}`);
    }
    return setTimeout(again, 3000);
  }
  if (answer.error === "pairing_code_invalid" && /_/.test(code) && !ask_again) return used(page, code);
  stuck(page, refusal(answer.error, answer.body), again);
}

async function taken(page, { guest_token: token, ...pass }, code = page.code) {
  const held = { token, pass, code, heard: Date.now(), forgets: page.forgets };
  await passStore.set(held);
  page.mine = held;
  page.back();
}

/** The link was used. Where it was used here, and a browser that clears its storage has lost the pass, the house can give it back. */
function used(page, code) {
  tell(page, words.usedTitle, text("used"), [button("filled", words.askAgain, () => pairing(page, code, true)), page.mine && button("plain", words.back, page.back)]);
  offerBack(page);
  page.alarm(words.usedTitle);
}

/** A pairing that can go no further by itself. */
function stuck(page, no, again) {
  tell(page, no.title, no.text, no === words.offline ? button("filled", words.tryNew, again) : !no.wait && (page.mine ? button("outlined", words.back, page.back) : codeForm(page)));
  if (no.wait) countdownButton(document.querySelector(".do"), no.wait, again);
  page.alarm(`${no.title}. ${no.text}`);
}

/** A link's code without what stands around it; the house cleans the rest. */
const codeIn = (text) => (text.match(/cardea_gl_[\w-]{43}/) || [text.trim()])[0];

/** The ten characters someone read out, or the link. */
function codeForm(page) {
  const error = h("span.field-error", { id: "code-error" });
  const input = h("input.input.mono", { id: "code", autocomplete: "one-time-code", autocapitalize: "characters", spellcheck: "false", "aria-describedby": "code-help code-error" });
  return h("form.code", { novalidate: true, onsubmit: async (event) => {
    event.preventDefault();
    const text = codeIn(input.value), code = /_/.test(text) ? text : text.normalize("NFKC").replace(/[^0-9a-z]/gi, "");
    // Where it would be forgotten, it goes the way of a link, which says so first.
    if (code.length === 10 || /_/.test(code)) return !page.code && (inside || !(await page.kept)) ? (location.hash = code) : pairing(page, code);
    fill(error, icon("alert", "i14"), words.codeShort(code.length));
    input.setAttribute("aria-invalid", "true");
    input.focus();
  } }, h("label.field-label", { for: "code" }, words.typed), input, h("span.field-help", { id: "code-help" }, words.codeHelp), error, h("button.button.outlined.wide.big", { type: "submit" }, words.codeUse));
}

start();
