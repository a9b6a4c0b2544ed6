// The guest's page: take the pass, see what it opens, open it. One page, no account, no links to other pages.

import { fill, h, icon, setText } from "../Shell/dom.js";
import { DAY, now, read, setNow, setZone } from "../Shell/time.js";
import { register } from "../Shell/serviceWorker.js";
import { withLock, canVerify, canPersist, createPasskey, passStore } from "./storage.js";
import { sendAction, runCommand, countdownButton, realtime, connect, newKey, pair, pending, restore, reportScan, passStatus } from "./pass.js";
import { refusal, words } from "./words.js";

const voice = (name) => (text) => setText(document.getElementById(name), text);
const verbOf = (action) => action.split(".").pop();

/** State shared by the parts of this page. `mine` is the stored pass, `code` that of the link, `busy` the doors with a command in progress. */
const page = { main: document.querySelector("main"), mine: undefined, busy: new Set(), say: voice("polite"), alarm: voice("assertive"), look, note, over, back, sync };
let view = null, timer;

async function start() {
  page.mine = await passStore.load();
  const code = codeIn(location.hash.slice(1));
  // The same link opened again on the phone that took the pass shows the pass.
  if (code && !(page.mine && page.mine.code === code)) take(page, code);
  else if (page.mine) paint();
  else none(page);
  addEventListener("hashchange", () => location.reload());
  for (const news of ["online", "focus", "storage"]) addEventListener(news, look);
  document.addEventListener("visibilitychange", look);
  register("/g", "&guest=1");
}

/** Shows the pass. Only now the code leaves the address: until here "open in another browser" still had it. */
function back() {
  page.code = undefined;
  // The event stream of another pass.
  if (realtime.end) realtime.end();
  history.replaceState(null, "", "/g");
  paint();
}

/** Checks if another tab took or lost a pass, and shows that. A page about another link stays as it is. */
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

/** Draws the whole pass once; `renew` then keeps its facts up to date. */
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

/** A door has a leaf, and lock and close buttons below it; lamps and the like have plain buttons. */
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

/** Acts at one tap and shows the result on its own button. */
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

/** The text beside the uses and below the leaf, until the next result. */
function note(beside, below) {
  view.beside = beside;
  view.below = below || (page.mine.forgets ? words.leaveOpen : words.finePrint);
  renew();
}

/** The facts that the hub reported last: validity and uses. A pass that ended has none. */
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

/** Loads the state now and again later: seldom while the event stream is open or before the pass starts, never after its end. */
async function look() {
  if (document.hidden || (await sync()) || !view || view.ended) return;
  await ask();
  clearTimeout(timer);
  if (!view || view.ended) return;
  const next = read(page.mine.pass.next_from) - now(), idle = (view.over ? 30 : realtime.live ? 5 : 1) * 10000;
  timer = setTimeout(look, next > 0 && next < idle ? next : idle);
}

/** The current state of the pass. A pass that ended says so in place of the leaf, while the hub still has it. */
async function ask() {
  const asked = page.mine;
  const { ok, body, error } = await passStatus(asked.token).catch(() => ({}));
  // The answer is about the previous pass.
  if (page.mine !== asked) return;
  if (!body) return lost(words.offline);
  const how = ok ? body.status : error;
  const why = refusal(how, body, ok ? body : page.mine.pass);
  if (!ok && !why.over) return lost(words.trouble);
  asked.heard = Date.now();
  lost(null);
  if (ok) {
    setNow(body.now * 1000);
    // The hub returns no names for a pass that ended: the page keeps those it had.
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

/** The pass has ended or is paused. The last result at the door stays readable; the facts say that the pass is used up. */
function over(standing, why) {
  const before = view.over;
  view.over = standing + page.mine.pass.next_from;
  if (!why) return;
  view.past = why.over;
  view.ended = why.over && standing !== "used_up";
  if (view.ended && view.below === words.finePrint) view.below = "";
  const told = `${why.title}. ${why.text}`;
  // Without a leaf it is shown below the buttons.
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

/** Shows that the house does not answer, or that it does again: in place of the leaf, while other results stay readable. */
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

// Taking a pass, from a link or a spoken code.

const { userAgent, standalone } = navigator;
// On iPhones every browser names Safari in its user agent, but an in-app page does not; nor does the home screen, where `standalone` is true.
const inside = !standalone && /FBA[NV]|Instagram|Line\/|GSA\/|; wv\)|iP(hone|ad)(?!.*Safari)/.test(userAgent);

/** True if this phone forgets the pass before it ends: iPhones and iPads do, a week after the last visit, except on the home screen. */
const isForgotten = ({ expires_at }) => !standalone && (standalone === false || /iP(hone|ad)/.test(userAgent)) && read(expires_at) - now() > 7 * DAY;

/** A text of guest.html. */
const text = (name) => document.getElementById(name).content.cloneNode(true);

const button = (style, word, onclick) => h(`button.button.${style}.wide.big`, { onclick }, word);

/** A page before the pass is taken: text, and the possible actions. */
function tell(page, head, body, doing, ...more) {
  document.title = head;
  fill(page.main, h("p.over", words.aPass), h("h1.door", { tabindex: "-1" }, head), body && h("p.lead", body), more, h("div.space"), h("div.do", doing));
}

function none(page) {
  page.kept = canPersist();
  tell(page, words.none, text("none"), codeForm(page));
  offerBack(page);
}

/** If the browser cleared its storage, the passkey that was made with the pass restores it. */
async function offerBack(page) {
  if (!(await canVerify())) return;
  const place = document.querySelector(".do");
  place.append(button("plain", words.bringBack, async () => {
    const answer = await restore().catch((error) => error);
    if (answer.ok) return taken(page, answer.body);
    // The guest cancelled: nothing has changed.
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
  // Sent only after the page is painted, and it uses nothing up. A link preview runs no script and sends nothing.
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

/** Requests the pass; a reload continues while approval is pending. With `ask_again` for a pass that this browser had and forgot. */
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
    // Another tab that was faster shows the pass here, too.
    await page.sync();
    if (has()) return;
    const answer = await pair(code, passkey || undefined).catch(() => null);
    if (answer && answer.ok) await taken(page, answer.body, code);
    return answer;
  });
  // The pass is the same, whichever tab took it.
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

/** The link was used. If a browser that clears its storage used it, the house can return the pass. */
function used(page, code) {
  tell(page, words.usedTitle, text("used"), [button("filled", words.askAgain, () => pairing(page, code, true)), page.mine && button("plain", words.back, page.back)]);
  offerBack(page);
  page.alarm(words.usedTitle);
}

/** A pairing that cannot continue by itself. */
function stuck(page, no, again) {
  tell(page, no.title, no.text, no === words.offline ? button("filled", words.tryNew, again) : !no.wait && (page.mine ? button("outlined", words.back, page.back) : codeForm(page)));
  if (no.wait) countdownButton(document.querySelector(".do"), no.wait, again);
  page.alarm(`${no.title}. ${no.text}`);
}

/** The code of a link without its surroundings; the hub normalises the rest. */
const codeIn = (text) => (text.match(/cardea_gl_[\w-]{43}/) || [text.trim()])[0];

/** The ten characters of a spoken code, or a link. */
function codeForm(page) {
  const error = h("span.field-error", { id: "code-error" });
  const input = h("input.input.mono", { id: "code", autocomplete: "one-time-code", autocapitalize: "characters", spellcheck: "false", "aria-describedby": "code-help code-error" });
  return h("form.code", { novalidate: true, onsubmit: async (event) => {
    event.preventDefault();
    const text = codeIn(input.value), code = /_/.test(text) ? text : text.normalize("NFKC").replace(/[^0-9a-z]/gi, "");
    // If the pass would be forgotten, it continues as with a link, which warns first.
    if (code.length === 10 || /_/.test(code)) return !page.code && (inside || !(await page.kept)) ? (location.hash = code) : pairing(page, code);
    fill(error, icon("alert", "i14"), words.codeShort(code.length));
    input.setAttribute("aria-invalid", "true");
    input.focus();
  } }, h("label.field-label", { for: "code" }, words.typed), input, h("span.field-help", { id: "code-help" }, words.codeHelp), error, h("button.button.outlined.wide.big", { type: "submit" }, words.codeUse));
}

start();
