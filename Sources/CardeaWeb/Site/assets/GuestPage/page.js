// The guest's page: take the pass, see what it opens, open it. One page, no account, no way to anywhere else.
// Taking a pass, refusals and what few guests meet are loaded when they are needed.

import { fill, h, icon, put } from "../Shell/h.js";
import { now, setNow, setZone } from "../Shell/time.js";
import * as hub from "./hub.js";
import { command as kept, load, newKey, save } from "./keep.js";
import "./leaf.js";
import { follow } from "./opening.js";
import { words } from "./words.js";

const main = document.querySelector("main");
function rare() {
  return import("./rare.js");
}

function refusals() {
  return import("./refusals.js");
}

/** What the parts of this page share. `mine` is `{ token, pass, code }`; `view` what is painted of it. */
export const page = { main, mine: null, view: null, busy: new Set(), renew, look, title, say: voice("polite"), alarm: voice("assertive"), back, entitiesOf, rare, refusals };

async function start() {
  addEventListener("hashchange", () => location.reload());
  addEventListener("online", look);
  document.addEventListener("visibilitychange", () => document.hidden || look());
  const code = decodeURIComponent(location.hash.slice(1)).trim();
  page.mine = await load();
  // The same link opened a second time on the phone that took the pass is simply the pass.
  if (code && !(page.mine && page.mine.code === code)) (await import("./take.js")).take(page, code);
  else if (page.mine) showPass();
  else (await rare()).none(page);
  import("../Shell/worker.js").then(({ register }) => register("/g", "&guest=1"));
}

function voice(name) {
  return (text) => put(document.getElementById(name), text);
}

function title(text) {
  document.title = text;
}

/** To the pass. Only now the code leaves the address: until here, "open in another browser" still had it. */
function back() {
  history.replaceState(null, "", location.pathname);
  showPass();
}

function showPass() {
  paint(page.mine.pass);
  const pending = kept.get();
  const entity = pending && pending.action && entitiesOf(page.mine.pass).find((e) => e.entity_id === pending.entity_id);
  // After a reload: the same command, under the same key.
  if (entity && page.view.leaves.has(entity.entity_id)) follow(page, entity, pending);
  else look();
}

const OPENING = ["door.open", "door.unlock", "garage.open", "cover.open", "lock.unlock", "lock.open", "unlock", "open"];
function entitiesOf(pass) {
  return pass.entities && pass.entities.length ? pass.entities : [{ entity_id: pass.entity_id, name: "Door", allowed_actions: pass.allowed_actions || [] }];
}

const opener = (entity) => OPENING.find((action) => entity.allowed_actions.includes(action));
const second = (entity) => entity.allowed_actions.find((action) => /(^|\.)(lock|close)$/.test(action));

/** Draws the whole pass once; `renew` keeps its facts true afterwards. */
function paint(pass) {
  setZone(pass.time_zone);
  put(document.getElementById("house"), pass.house_name || "Cardea");
  const all = entitiesOf(pass);
  const several = all.length > 1;
  title(several ? "Your pass" : `${all[0].name} · your pass`);
  const fact = (drawing) => {
    const strong = h("strong"), note = h("span.fact-note");
    return { strong, note, node: h("li.fact", icon(drawing), h("span", strong, note)) };
  };
  const view = page.view = { when: fact("clock"), uses: fact("pass"), fine: h("p.fine"), banner: h("p.banner", { hidden: true }, icon("link-off", "i18"), h("span", words.offlineNow)), leaves: new Map(), note: null, below: words.finePrint, over: false };
  const rows = all.map((entity) => {
    const action = opener(entity);
    if (!action) {
      const row = h("li");
      rare().then((more) => more.thing(page, row, entity));
      return row;
    }
    const leaf = document.createElement("door-leaf");
    leaf.door = { door: entity.name, garage: entity.entity_type === "cover" || /^(garage|cover)\./.test(action), row: several };
    leaf.addEventListener("open", () => page.busy.has(entity.entity_id) || follow(page, entity, { key: newKey(), action, entity_id: entity.entity_id, at: Date.now(), used: page.mine.pass.used_count || 0, fresh: true }));
    leaf.addEventListener("armed", (event) => page.say(event.detail));
    leaf.rest();
    view.leaves.set(entity.entity_id, leaf);
    const shut = second(entity);
    return h("li", leaf, shut && h("button.button.outlined.wide.below", { type: "button", onclick: async ({ currentTarget }) => (await rare()).act(page, entity, shut, currentTarget) }, /lock$/.test(shut) ? words.lock : words.close, h("span.vh", ` ${entity.name}`)));
  });
  fill(main, h("p.over", words.yourPass),
    h("h1.door", { tabindex: "-1", class: several ? "many" : "" }, several ? pass.name || words.yourPass : all[0].name),
    h("ul.facts", view.when.node, view.uses.node), view.banner, h("div.space"), h("ul.leaves", rows), view.fine);
  renew(pass);
}

/** Facts from the hub's last word: until when, how often. */
function renew(pass) {
  const { view, mine } = page;
  mine.pass = { ...mine.pass, ...pass };
  if (pass.now) setNow(pass.now * 1000);
  if (mine.pass.schedule && !words.schedule) {
    import("../Shell/schedule.js").then(({ schedule }) => {
      words.schedule = schedule;
      renew({});
    });
  }
  put(view.when.strong, words.until(mine.pass));
  put(view.when.note, words.untilNote(mine.pass));
  put(view.uses.strong, words.usesLeft(mine.pass));
  put(view.uses.note, words.usesNote(mine.pass, view.note));
  put(view.fine, view.below);
}

const ENDED = { expired: "token_expired", revoked: "token_revoked", used_up: "token_max_uses_exceeded", suspended: "pass_suspended", scheduled: "token_not_yet_valid", rejected: "pairing_rejected" };
let looking = 0;

/** How the pass stands now. One that ended says so in the leaf's place, for as long as the hub remembers. */
async function look() {
  clearTimeout(looking);
  const { mine, view, busy } = page;
  if (!mine || !view) return;
  looking = setTimeout(() => document.hidden || look(), 10000);
  let answer;
  try {
    answer = await hub.pass(mine.token);
  } catch {
    return offline(true);
  }
  offline(false);
  if (busy.size) return;
  const error = answer.ok ? ENDED[answer.body.status] : answer.error;
  if (answer.ok) {
    renew(answer.body);
    save(mine);
  }
  if (error) return ended(error, (await refusals()).refusal(error, answer.body, mine.pass));
  if (view.over) {
    view.over = false;
    for (const leaf of view.leaves.values()) leaf.rest();
  }
}

function ended(error, no) {
  if (no.wait) return;
  page.view.over = true;
  for (const leaf of page.view.leaves.values()) {
    // What just happened at the door stays readable; that the pass is used up stands in the facts.
    if (leaf.dataset.ended === error || (error === ENDED.used_up && /open|unsure|failed|refused/.test(leaf.dataset.face))) continue;
    leaf.dataset.ended = error;
    leaf.say("over", { tone: no.early || error === ENDED.suspended ? "info" : "quiet", drawing: no.early ? "clock" : "pass", title: no.title, text: no.text });
    page.say(`${no.title}. ${no.text}`);
  }
}

function offline(yes) {
  const { view, busy } = page;
  let said = busy.size > 0;
  for (const leaf of view.leaves.values()) {
    const face = leaf.dataset.face;
    if (yes && face === "leaf" && !leaf.dataset.hold.match(/holding|fired/)) {
      leaf.say("offline", { tone: "quiet", drawing: "link-off", title: words.offline, text: words.offlineBody });
      page.alarm(words.offline);
    } else if (!yes && face === "offline") leaf.rest();
    said = said || leaf.dataset.face === "offline";
  }
  view.banner.hidden = !yes || said;
}

setInterval(() => page.view && !document.hidden && page.mine.pass.expires_at * 1000 > now() && renew({}), 30000);

start();
