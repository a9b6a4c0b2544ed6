// The guest's page: take the pass, see what it opens, open it. One page, no account, no way to anywhere else.

import { fill, h, icon, put } from "../Shell/h.js";
import { now, setNow, setZone } from "../Shell/time.js";
import { register } from "../Shell/worker.js";
import { mine } from "./kept.js";
import { follow } from "./leaf.js";
import { act, line, listen, newKey, pending, standing } from "./pass.js";
import { none, take } from "./take.js";
import { refusal, words } from "./words.js";

const voice = (name) => (text) => put(document.getElementById(name), text);
const verbOf = (action) => action.split(".").pop();

/** What the parts of this page share. `mine` is `{ token, pass, code }`; `busy` the doors whose outcome is awaited. */
const page = { main: document.querySelector("main"), mine: undefined, busy: new Set(), say: voice("polite"), alarm: voice("assertive"), look, note, over, back };
let view = null;

async function start() {
  page.mine = await mine.load();
  const code = decodeURIComponent(location.hash.slice(1)).trim();
  // The same link opened a second time on the phone that took the pass is simply the pass.
  if (code && !(page.mine && page.mine.code === code)) take(page, code);
  else if (page.mine) paint();
  else none(page);
  addEventListener("hashchange", () => location.reload());
  addEventListener("online", look);
  document.addEventListener("visibilitychange", look);
  // Told by the house, the page looks by itself all the same, only seldom.
  setInterval(() => (line.live && Math.random() < 0.8) || look(), 10000);
  register("/g", "&guest=1");
}

/** To the pass. Only now the code leaves the address: until here, "open in another browser" still had it. */
function back() {
  history.replaceState(null, "", location.pathname);
  paint();
}

/** Draws the whole pass once; `renew` keeps its facts true afterwards. */
function paint() {
  const { pass } = page.mine;
  const doors = pass.entities;
  const several = doors.length > 1;
  const head = doors.length === 1 ? doors[0].name : pass.name;
  setZone(pass.time_zone);
  put(document.getElementById("house"), pass.house_name);
  document.title = `${head} · ${words.title}`;
  const fact = (drawing) => {
    const strong = h("strong"), note = h("span.fact-note");
    return { strong, note, node: h("li.fact", icon(drawing), h("span", strong, note)) };
  };
  view = { when: fact("clock"), uses: fact("pass"), fine: h("p.fine"), leaves: [], heard: now() };
  fill(page.main, h("p.over", words.yourPass), h(`h1.door${several ? ".many" : ""}`, { tabindex: "-1" }, head),
    !doors[0] && h("p.lead", words.gone), h("ul.facts", view.when.node, view.uses.node), h("div.space"), h("ul.leaves", doors.map((door) => h("li", row(door, several)))), view.fine);
  note();
  listen(page);
  // After a reload: the same command, under the same key.
  const command = pending.get();
  const leaf = command && view.leaves.find((one) => one.door.entity_id === command.entity_id);
  if (leaf) follow(page, leaf, command);
  else look();
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
  leaf.addEventListener("open", () => page.busy.has(door.entity_id) || follow(page, leaf, { key: newKey(), action: opener, entity_id: door.entity_id, at: Date.now(), used: page.mine.pass.used_count }));
  leaf.rest();
  view.leaves.push(leaf);
  return [leaf, others];
}

/** Acts at one touch and says how it went on its own button. */
async function touch(door, action, button) {
  if (button.getAttribute("aria-disabled")) return;
  const [shown] = button.children, label = shown.textContent;
  const end = (text, say) => {
    put(shown, text);
    say(`${door.name}: ${text}`);
  };
  button.setAttribute("aria-disabled", "true");
  try {
    const { ok, status, error, body } = await act(page.mine.token, { key: newKey(), action, entity_id: door.entity_id });
    if (ok) {
      end(words.done[verbOf(action)] || label, page.say);
      const leaf = view.leaves.find((one) => one.door === door);
      if (leaf && leaf.dataset.face === "open" && !view.over) leaf.rest();
    } else end(status === 202 ? words.pending : refusal(error, body, page.mine.pass, door).title, page.alarm);
  } catch {
    end(words.offline.title, page.alarm);
  }
  setTimeout(() => {
    put(shown, label);
    button.removeAttribute("aria-disabled");
  }, 3000);
  look();
}

/** What stands beside the uses and below the leaf, until the next outcome. */
function note(beside, below) {
  view.beside = beside;
  view.below = below || words.finePrint;
  renew();
}

/** Facts from the hub's last word: until when, how often. */
function renew() {
  const { pass } = page.mine;
  put(view.when.strong, words.until(pass));
  put(view.when.note, words.untilNote(pass));
  put(view.uses.strong, words.usesLeft(pass));
  put(view.uses.note, view.beside || words.usesNote(pass));
  put(view.fine, view.lost ? words.heard(view.lost, now() - view.heard) : view.below);
}

/** How the pass stands now. One that ended says so in the leaf's place, for as long as the hub remembers. */
async function look() {
  if (!view || document.hidden) return;
  const { ok, body, error } = await standing(page.mine.token).catch(() => ({}));
  if (!body) return lost(words.offline);
  const why = refusal(ok ? body.status : error, body, page.mine.pass);
  if (!ok && !why.over) return lost(words.trouble);
  view.heard = now();
  lost(null);
  if (ok) {
    setNow(body.now * 1000);
    // A pass that is over names nothing any more: its page keeps the names it knew.
    const { house_name, entities, ...rest } = body;
    Object.assign(page.mine.pass, house_name ? body : rest);
    mine.set(page.mine);
  }
  if (page.busy.size) return;
  renew();
  if (why.over || why.pause) return over(ok ? body.status : error, why);
  if (view.over) view.leaves.forEach((leaf) => leaf.rest());
  view.over = null;
}

/** The pass has ended or rests. What just happened at the door stays readable; that the pass is used up stands in the facts. */
function over(standing, why) {
  const before = view.over;
  view.over = standing;
  if (!why || before === standing) return;
  for (const leaf of view.leaves) {
    if (standing === "used_up" && /open|unsure|failed|refused|over/.test(leaf.dataset.face)) continue;
    leaf.say("over", why.pause ? "info" : "quiet", "pass", why);
    page.say(`${why.title}. ${why.text}`);
  }
}

/** Nothing to be had from the house, or the end of that: the leaf says so in its own place, other outcomes stay readable. */
function lost(said) {
  const was = view.lost;
  view.lost = said;
  if (said) line.live = false;
  for (const leaf of view.leaves) {
    if (said && leaf.dataset.face === "leaf" && leaf.dataset.hold !== "holding") leaf.say("offline", "quiet", said === words.offline ? "link-off" : "alert", said, [words.tryNew, look]);
    else if (!said && leaf.dataset.face === "offline") leaf.rest();
  }
  if (said && was !== said) page.alarm(said.title);
  renew();
}

start();
