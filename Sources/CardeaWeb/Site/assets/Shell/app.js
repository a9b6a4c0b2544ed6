// Where the household app begins: who is here, which screen, and how to go from one to the next.

import { known, onSession, renew, session } from "../Sessions/session.js";
import { HubError, api } from "./api.js";
import { alarm, bare, chrome, say } from "./chrome.js";
import { fill, h } from "./h.js";
import { failed, pageHead } from "./parts.js";
import { text } from "./text.js";
import { setNow, setZone } from "./time.js";

const routes = [
  [/^\/$/, () => import("../Devices/home.js")],
  [/^\/doors$/, () => import("../Devices/doors.js")],
  [/^\/devices\/([^/]+)$/, () => import("../Devices/device.js")],
  [/^\/guests$/, () => import("../Guests/list.js")],
  [/^\/guests\/new$/, () => import("../Guests/invite.js")],
  [/^\/guests\/([^/]+)$/, () => import("../Guests/detail.js")],
  [/^\/activity$/, () => import("../Activity/list.js")],
  [/^\/people$/, () => import("../People/list.js")],
  [/^\/people\/([^/]+)$/, () => import("../People/person.js")],
  [/^\/settings$/, () => import("../Settings/settings.js")],
  [/^\/settings\/(integrations|house|browser|account)$/, (page) => import(`../Settings/${page}.js`)],
];
const doorsIn = {
  "/claim": () => import("../Sessions/claim.js"),
  "/sign-in": () => import("../Sessions/signin.js"),
  "/join": () => import("../Sessions/join.js"),
};

const main = h("main", { id: "main" });
let frame = null;
let leaving = [];
let turn = 0;
const places = new Map();

start();

async function start() {
  history.scrollRestoration = "manual";
  addEventListener("popstate", () => show(false));
  document.addEventListener("click", followLink);
  onSession((news) => news === "ended" && frame && signInAgain());
  const path = location.pathname;
  if (doorsIn[path]) return enter(doorsIn[path]);
  try {
    if (known() && (await renew())) return welcome();
    const { claimed } = await api("GET", "/claim");
    return enter(claimed ? doorsIn["/sign-in"] : doorsIn["/claim"]);
  } catch (error) {
    bare(main);
    fill(main, pageHead(text.app), failed(error instanceof HubError ? error : new HubError({ offline: true }), () => location.reload()));
  }
}

/** A page before the house: it calls `welcome` once someone is signed in. */
async function enter(load) {
  bare(main);
  const screen = await load();
  await paint(() => screen.open({ welcome }));
}

/** Signed in: learn who and where, build the frame, go to the page that was asked for. */
export async function welcome(to) {
  const [me, house] = await Promise.all([api("GET", "/people/me"), api("GET", "/house")]);
  session.me = me;
  session.house = house;
  setZone(house.time_zone);
  setNow(Date.parse(house.now));
  frame = chrome(main);
  if (to || doorsIn[location.pathname]) history.replaceState(null, "", to || "/");
  await show(true);
  import("./worker.js").then(({ register }) => register("/"));
}

/** Goes to a page of the app. */
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
  const found = routes.map(([pattern, load]) => [path.match(pattern), load]).find(([match]) => match);
  frame.at(path);
  const query = new URLSearchParams(location.search);
  const params = found ? found[0].slice(1).map(decodeURIComponent) : [];
  const ok = await paint(async (place) => {
    if (!found) return nothing();
    const screen = await found[1](...params);
    return screen.open({ ...place, params, query });
  });
  if (ok) scrollTo(0, forward ? 0 : places.get(path) || 0);
}

/** The page for what does not exist and for what is not yours: they read the same. */
export function nothing() {
  return { title: text.nothingHere, node: [pageHead(text.nothingHere), h("p.third", text.nothingHereBody), h("p", h("a.button.outlined", { href: "/" }, text.goHome))] };
}

/** Puts one screen on the page. What it started ends when the next one comes. */
async function paint(open) {
  const mine = (turn += 1);
  const started = [];
  let screen;
  try {
    screen = await open({ until: (stop) => started.push(stop), go, say, alarm });
  } catch (error) {
    if (!(error instanceof HubError)) console.error(error);
    screen = error.status === 404 ? nothing() : { title: text.app, node: [pageHead(text.app), failed(error instanceof HubError ? error : new HubError({ status: 1, code: "page" }), () => location.reload())] };
  }
  if (mine !== turn) {
    started.forEach((stop) => stop());
    return false;
  }
  leaving.forEach((stop) => stop());
  leaving = started;
  fill(main, screen.node);
  main.className = screen.className || "";
  const waiting = document.title.match(/^\(\d+\) /);
  document.title = `${waiting ? waiting[0] : ""}${screen.title} · ${text.app}`;
  const head = main.querySelector("h1");
  if (head && !main.querySelector("[autofocus]")) head.focus({ preventScroll: true });
  else if (main.querySelector("[autofocus]")) main.querySelector("[autofocus]").focus();
  return true;
}

/** The session ended under someone's hands: sign in over the work, and nothing of it is lost. */
let asking = false;
async function signInAgain() {
  if (asking) return;
  asking = true;
  const [{ sheet }, { form }] = await Promise.all([import("./dialog.js"), import("../Sessions/signin.js")]);
  await sheet(text.signIn.again, (close) => [h("p.third.sheet-sub", text.signIn.againBody), form({ username: session.me && session.me.username, done: () => close("in") })], { closable: false });
  asking = false;
}
