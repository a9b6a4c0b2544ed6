// The start of the household app: session, routes and navigation.

import { askCards } from "../Guests/askCards.js";
import { accessToken, hasSignedIn, onSessionChange, renew, session } from "../Sessions/session.js";
import { HubError, api } from "./api.js";
import { announceError, showBarePage, pageLayout, announce } from "./layout.js";
import { fill, h } from "./dom.js";
import { QUEUED_QUESTIONS, QUEUED_COMMANDS, saveSnapshot, loadSnapshot, clearSnapshot } from "./storage.js";
import { followConnection, resetTopics, saveTopicsWith, discardTopics, connect, restoreTopics, refresh, ignoreHubError } from "./liveData.js";
import { brand, errorPanel, pageHead, skeleton } from "./components.js";
import { setTemperatureUnit, text } from "./text.js";
import { setNow, setZone } from "./time.js";

/** Path, screen, and the right to see it: without the right the page does not exist. */
const routes = [
  [/^\/$/, () => import("../Devices/home.js")],
  [/^\/doors$/, () => import("../Devices/room.js").then(({ doors }) => doors)],
  [/^\/rooms\/([^/]+)$/, () => import("../Devices/room.js")],
  [/^\/devices\/([^/]+)$/, () => import("../Devices/device.js")],
  [/^\/guests$/, () => import("../Guests/passes.js"), "invite_guests"],
  [/^\/guests\/new$/, () => import("../Guests/invite.js"), "invite_guests"],
  [/^\/guests\/([^/]+)$/, () => import("../Guests/passes.js").then(({ pass }) => pass), "invite_guests"],
  [/^\/activity$/, () => import("../Activity/list.js")],
  [/^\/activity\/([^/]+)$/, () => import("../Events/eventPage.js"), "control_devices"],
  [/^\/cameras$/, () => import("../Events/camera.js").then(({ wall }) => wall), "control_devices"],
  [/^\/cameras\/new$/, () => import("../Events/cameraEditor.js"), "modify_settings"],
  [/^\/cameras\/([^/]+)$/, () => import("../Events/camera.js"), "control_devices"],
  [/^\/cameras\/([^/]+)\/change$/, () => import("../Events/cameraEditor.js"), "modify_settings"],
  [/^\/people$/, () => import("../People/people.js"), "manage_people"],
  [/^\/people\/([^/]+)$/, () => import("../People/people.js").then(({ person }) => person), "manage_people"],
  [/^\/settings$/, () => import("../Settings/settings.js")],
  [/^\/settings\/(integrations|house|browser|account|notices|phones)$/, (page) => import(`../Settings/${page}.js`)],
  [/^\/settings\/rooms$/, () => import("../Settings/house.js").then(({ rooms }) => rooms)],
  [/^\/settings\/tokens$/, () => import("../Settings/phones.js").then(({ tokens }) => tokens)],
  [/^\/notices$/, () => import("../Notices/list.js"), "control_devices"],
  [/^\/buttons$/, () => import("../Tags/buttonGrid.js"), "control_devices"],
  [/^\/buttons\/new$/, () => import("../Tags/buttonEditor.js"), "modify_settings"],
  [/^\/buttons\/([^/]+)$/, () => import("../Tags/buttonEditor.js"), "control_devices"],
  [/^\/tags$/, () => import("../Tags/tags.js"), "control_devices"],
  [/^\/tags\/([^/]+)$/, () => import("../Tags/tags.js").then(({ tag }) => tag), "control_devices"],
  [/^\/+t(?:\/+[^/]*){0,2}$/, () => import("../Tags/tap.js"), "control_devices"],
  [/^\/house$/, () => import("../Mind/conversation.js"), "control_devices"],
  [/^\/house\/mood$/, () => import("../Mind/mood.js"), "control_devices"],
  [/^\/house\/memory$/, () => import("../Mind/memory.js"), "control_devices"],
  [/^\/house\/twins(?:\/([^/]+))?$/, () => import("../Mind/twins.js"), "control_devices"],
  [/^\/house\/what-if$/, () => import("../Mind/whatIf.js"), "control_devices"],
  [/^\/house\/interview(?:\/([^/]+))?$/, () => import("../Mind/conversation.js"), "add_devices"],
  [/^\/privacy$/, () => import("../Privacy/pages.js").then(({ screens }) => screens.mine)],
  [/^\/privacy\/(audit|retention|energy|maintenance|backups)$/, (page) => import("../Privacy/pages.js").then(({ screens }) => screens[page])],
  [/^\/pair$/, () => import("../Settings/phones.js")],
];
const doorsIn = {
  "/claim": () => import("../Sessions/claim.js"),
  "/sign-in": () => import("../Sessions/signin.js"),
  "/join": () => import("../Sessions/claim.js").then(({ join }) => join),
};

const main = h("main", { id: "main" });
let frame = null, leaving = [], turn = 0, opening = false, registered = null;
const places = new Map();

start();

async function start() {
  history.scrollRestoration = "manual";
  addEventListener("popstate", () => show(false));
  document.addEventListener("click", followLink);
  onSessionChange((news) => ({ out: leave, ended, anew: signedInElsewhere })[news]());
  const path = location.pathname.replace(/\/+$/, "");
  if (doorsIn[path]) return enter(doorsIn[path]);
  try {
    if (await resume()) return;
    const { claimed } = await api("GET", "/claim");
    return enter(claimed ? doorsIn["/sign-in"] : doorsIn["/claim"]);
  } catch (error) {
    showBarePage(main);
    fill(main, h("div.card", brand(), h("h1", text.noAnswer), broken(error)));
  }
}

/** A person was signed in before: their last board is shown at once, while the session is renewed. */
async function resume() {
  opening = true;
  try {
    const kept = hasSignedIn() ? await loadSnapshot() : null;
    if (kept) {
      restoreTopics(kept.topics);
      await setSession(kept, true, true);
    }
    let back = Boolean(accessToken());
    try {
      back = back || (hasSignedIn() && (await renew()));
    } catch (error) {
      if (!kept) throw new HubError({ offline: true });
      // Without a connection the board shows its age; the topics try again and find the session.
      const stop = followConnection((state) => {
        if (state || !accessToken()) return;
        stop();
        resumePage();
      });
      return true;
    }
    if (back) await welcome().catch((error) => {
      // The page stays; if the connection is lost just now, the hub is asked again until it answers.
      if (!kept || !(error.offline || error.status >= 429)) throw error;
      setTimeout(resumePage, 3000);
    });
    else leave();
    return back;
  } finally {
    opening = false;
  }
}

/** Neither the board nor waiting commands are for the next person. */
function clear() {
  try {
    sessionStorage.removeItem(QUEUED_COMMANDS);
    sessionStorage.removeItem(QUEUED_QUESTIONS);
  } catch {
    // Nothing was stored.
  }
  return clearSnapshot();
}

/** After sign-out no data of the house stays in this browser. */
function leave() {
  resetTopics();
  if (frame) frame.stop();
  frame = null;
  return clear();
}

/** The hub ended this session. The page stays under the sign-in dialog; stored data is dropped. */
function ended() {
  saveTopicsWith(null);
  clear();
  if (frame && !opening && !session.leaving) signInAgain();
}

/** A page before sign-in: it calls `welcome` once someone is signed in. */
async function enter(load) {
  showBarePage(main);
  const screen = await load();
  await paint(() => screen.open({ welcome }));
}

/** After sign-in: loads person and house, builds the frame, opens the requested page. */
export async function welcome(to) {
  if (to || doorsIn[location.pathname]) history.replaceState(null, "", to || "/");
  // The board loads together with person and house, so that Home needs one round trip and not two.
  if (location.pathname === "/") refresh("devices").catch(() => {});
  await loadSession(true);
  saveTopicsWith((topics) => saveSnapshot({ me: session.me, house: session.house, topics }));
  // The house or this person's rights may change while the page is open.
  connect(() => loadSession().catch(ignoreHubError));
  // Once for each page: signing in again comes by here, and the browser makes no second policy with one name.
  if (!registered) registered = import("./serviceWorker.js").then(({ register }) => register("/"));
  if (window.Notification && Notification.permission === "granted") import("../Notices/push.js").then(({ renewSubscription }) => renewSubscription()).catch(() => {});
}

/** Loads person and house. Only changed rights rebuild the frame, so that a half-filled form survives a new room. A page of the earlier house is `shown` again, unless someone is typing in it. */
async function loadSession(shown) {
  const [me, house] = await Promise.all([api("GET", "/people/me"), api("GET", "/house")]);
  const others = !frame || stableFields(me) !== stableFields(session.me);
  setNow(Date.parse(house.now));
  // With fewer rights the stored data is dropped.
  if (others) discardTopics("memories");
  await setSession({ me, house }, others, others || ((me.temperature_unit !== session.me.temperature_unit || (shown && stableFields(house) !== stableFields(session.house))) && !document.querySelector("dialog, form :focus")));
}

/** A person with their rights, or a house, without the fields that change by themselves and that no frame shows. */
const stableFields = (one) => JSON.stringify(one, (key, value) => (/^(now|last_seen_at|is_home|temperature_unit)$/.test(key) ? undefined : value));

/** Sets person and house, and rebuilds the frame or only the page if needed. */
async function setSession({ me, house }, framed, shown) {
  Object.assign(session, { me, house });
  setZone(house.time_zone);
  setTemperatureUnit(me.temperature_unit);
  if (framed) {
    if (frame) frame.stop();
    frame = pageLayout(main, askCards);
  }
  if (shown) await show(true);
}

/** Opens a page of the app. */
export function go(href, { replace = false } = {}) {
  places.set(location.pathname, scrollY);
  history[replace ? "replaceState" : "pushState"](null, "", href);
  return show(true);
}

function followLink(event) {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target.closest("a[href]");
  if (!link || link.target || link.origin !== location.origin || link.hasAttribute("download")) return;
  if (link.hash && link.pathname === location.pathname) {
    if (link.hash === "#main") {
      event.preventDefault();
      const head = main.querySelector("h1");
      if (head) head.focus();
    }
    return;
  }
  if (!frame || !routes.some(([pattern]) => pattern.test(link.pathname))) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

async function show(forward) {
  const path = location.pathname;
  const found = routes.filter(([, , right]) => !right || session.can(right)).map(([pattern, load]) => [path.match(pattern), load]).find(([match]) => match);
  frame.at(path);
  const query = new URLSearchParams(location.search);
  const params = found ? found[0].slice(1).map((part) => part && decodeURIComponent(part)) : [];
  const ok = await paint(async (place) => {
    if (!found) return nothing();
    const screen = await found[1](...params);
    return screen.open({ ...place, params, query });
  });
  if (ok) scrollTo(0, forward ? 0 : places.get(path) || 0);
}

/** The error of a page: the hub's own words, or that the page itself failed. */
const broken = (error) => errorPanel(error instanceof HubError ? error : new HubError({ status: 1, code: "page" }), () => location.reload());

/** The page for missing and for forbidden content: they read the same. */
function nothing() {
  return { title: text.nothingHere, node: [pageHead(text.nothingHere), h("p.third", text.nothingHereBody), h("div.row-buttons", h("a.button.outlined", { href: "/" }, text.goHome))] };
}

/** Shows one screen. Whatever it started ends with the next one. */
async function paint(open) {
  const mine = (turn += 1);
  let screen, gone = false;
  const started = [() => (gone = true)];
  // Whatever a screen starts after it was left ends at once.
  const until = (stop) => (gone ? stop() : started.push(stop));
  // A slow screen gets its place at once; the one before it is left.
  const late = setTimeout(() => {
    if (mine !== turn) return;
    leaving.forEach((stop) => stop());
    leaving = [];
    main.className = "";
    fill(main, skeleton(4));
  }, 150);
  try {
    screen = await open({ until, go, say: announce, alarm: announceError, nothing });
  } catch (error) {
    if (!(error instanceof HubError)) console.error(error);
    screen = error.status === 404 ? nothing() : { title: text.app, node: [pageHead(text.app), broken(error)] };
  }
  clearTimeout(late);
  if (mine !== turn) {
    started.forEach((stop) => stop());
    return false;
  }
  leaving.forEach((stop) => stop());
  leaving = started;
  fill(main, screen.node);
  main.className = screen.className || "";
  // The number of requests stays in front of the title.
  document.title = `${document.title.match(/^(\(\d+\) )?/)[0]}${screen.title} · ${text.app}`;
  const head = main.querySelector("h1");
  if (head) head.focus({ preventScroll: true });
  return true;
}

/** The session ended during work: the sign-in dialog opens over the page, and nothing is lost. */
let asking = null;
async function signInAgain() {
  if (asking) return;
  asking = () => {};
  try {
    const [{ sheet }, { signInForm }] = await Promise.all([import("./dialog.js"), import("../Sessions/signin.js")]);
    const ask = () => sheet(text.signIn.again, (close) => {
      asking = () => close("in");
      return [h("p.third.sheet-sub", text.signIn.againBody), signInForm({ username: session.me.username, done: asking })];
    }, { closable: false });
    // Escape, pressed twice, closes any dialog; without a session there is nothing behind this one.
    while (!accessToken()) if ((await ask()) === "in") break;
  } catch {
    asking = null;
    return setTimeout(signInAgain, 3000);
  }
  asking = null;
  resumePage();
}

/** Someone signed in and a page is open: it continues once the hub has named the account. */
async function resumePage() {
  try {
    const { person_id } = await api("GET", "/people/me");
    // Another person signed in: they start on Home, not on this person's page.
    if (person_id !== session.me.person_id) {
      clear();
      location.assign("/");
    } else await welcome();
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    // If the session ends again, it asks by itself.
    if (error.status !== 401) setTimeout(resumePage, 3000);
  }
}

function signedInElsewhere() {
  if (asking) asking();
  else if (session.me) resumePage();
}
