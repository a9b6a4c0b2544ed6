// The frame of every screen: the rail on wide pages, the bar at the bottom of narrow ones, the banner, and two live regions.

import { session, signOut } from "../Sessions/session.js";
import { confirm, sheet } from "./dialog.js";
import { fill, h, icon, setText } from "./dom.js";
import { setAttribute } from "./reconcile.js";
import { follow, followConnection } from "./liveData.js";
import { text } from "./text.js";
import { clock } from "./time.js";

const polite = h("div.vh", { role: "status", "aria-live": "polite" });
const assertive = h("div.vh", { role: "alert", "aria-live": "assertive" });
/** The number of requests, in the title. */
const WAITING = /^\(\d+\) /;
let lastSaid = 0, waiting = [];

/** Announces the result of the person's own action, at once. */
export const announce = (words) => speak(polite, words);
/** Announces failures, refusals, unknown results, a lost connection. */
export const announceError = (words) => speak(assertive, words);
/** Announces actions of others: at most one sentence in five seconds; those in between are joined. */
export function announceLater(words) {
  waiting.push(words);
  if (waiting.length > 1) return;
  setTimeout(() => {
    lastSaid = Date.now();
    announce([...new Set(waiting)].join(" "));
    waiting = [];
  }, Math.max(0, lastSaid + 5000 - Date.now()));
}

/** The same words twice are announced twice: the region is emptied for a moment first. */
function speak(voice, words) {
  setText(voice, "");
  clearTimeout(voice.speaking);
  voice.speaking = setTimeout(() => setText(voice, words), 50);
}

/** The pages that this person may open, in two groups. */
function places() {
  const first = [["/", "home", text.nav.home], ["/activity", "activity", text.nav.activity],
    session.can("invite_guests") ? ["/guests", "pass", text.nav.guests] : ["/doors", "door", text.nav.doors], ...(session.can("control_devices") ? [["/house", "ask", text.nav.house]] : [])];
  const second = [...(session.can("control_devices") ? [["/cameras", "camera", text.nav.cameras], ["/notices", "bell", text.nav.notices], ["/buttons", "nfc", text.nav.buttons]] : []), session.can("manage_people") && ["/people", "people", text.nav.people], ["/privacy", "shield", text.nav.privacy], ["/settings", "sliders", text.nav.settings]].filter(Boolean);
  return [first, second];
}

const initials = (name) => name.trim().split(/\s+/).map((word) => word[0]).slice(0, 2).join("").toUpperCase();

/** Tags belong to the buttons that they press. */
const isAt = (place, path) => path === place || (place !== "/" && path.startsWith(`${place}/`)) || (place === "/buttons" && /^\/tags(\/|$)/.test(path));

/** Builds the frame around `main`, with `askCards` of requests; returns functions that update and end it. */
export function pageLayout(main, askCards) {
  const [first, second] = places();
  const link = ([href, drawing, word], size) => h("a.nav-link", { href, "data-place": href }, icon(drawing, size), h("span", word));
  const me = session.me;
  const more = h("button.nav-link", { "aria-haspopup": "dialog", onclick: () => openMore(second) }, icon("more", "i22"), h("span", text.nav.more));
  const rail = h("nav.rail", { "aria-label": text.nav.label },
    h("a.brand.rail-brand", { href: "/" }, icon("mark", "i22"), h("span", text.app)),
    h("ul", first.map((place) => h("li", link(place, "i20")))),
    h("ul", second.map((place) => h("li", link(place, "i20")))),
    h("button.rail-me", { "aria-haspopup": "dialog", "aria-label": `${me.name}, ${text.roles[me.role] || me.role}. ${text.nav.account}`, onclick: () => openMore([], true) },
      h("span.initials", { "aria-hidden": "true" }, initials(me.name)), h("span.rail-who", h("strong", me.name), h("span.small.third", text.roles[me.role] || me.role))));
  const bar = h("nav.bar", { "aria-label": text.nav.label }, h("ul", first.map((place) => h("li", link(place, "i22"))), h("li", more)));
  const banner = h("section.banner", { hidden: true, "aria-label": text.connection.label });
  const why = h("span"), test = h("a", text.settings.try);
  const problem = h("section.banner.quiet", { hidden: true, "aria-label": text.settings.integrations }, icon("alert", "i18"), h("p", why, test));
  const stops = [() => (document.title = document.title.replace(WAITING, ""))], answers = session.can("answer_asks");
  fill(document.body, h("a.skip", { href: "#main" }, text.skip), rail, h("div.column", banner, problem, answers && askCards((stop) => stops.push(stop)), main), bar, polite, assertive);
  document.body.classList.add("framed");

  stops.push(followConnection((state, since) => {
    banner.hidden = !state;
    document.body.classList.toggle("lost", state === "lost");
    if (!state) return;
    fill(banner, icon(state === "lost" ? "link-off" : "alert", "i18"), h("span", text.connection[state], " ", h("span.third", text.connection.since(since))));
    setTimeout(() => !banner.hidden && announceError(text.connection[state]), 5000);
  }));
  if (session.can("modify_settings")) {
    stops.push(follow("integrations", (list) => {
      const down = list.find((one) => one.status === "failed");
      problem.hidden = !down;
      if (!down) return;
      // The content of the banner may have the focus.
      setText(why, text.settings.down(text.settings.names[down.integration] || down.integration, clock(Date.parse(down.since)), down.reason, down.devices));
      setAttribute(test, "href", `/settings/integrations?test=${down.integration}`);
    }));
  }
  if (answers) {
    let before = null;
    stops.push(follow("asks", (asks) => {
      const n = asks.length;
      document.title = `${n ? `(${n}) ` : ""}${document.title.replace(WAITING, "")}`;
      for (const place of document.querySelectorAll('[data-place="/guests"]')) setAttribute(place, "data-waiting", n || null);
      if (before !== null && n > before) announceLater(text.asks.said(n));
      before = n;
    }));
  }
  return {
    stop: () => stops.forEach((stop) => stop()),
    at(path) {
      for (const node of document.querySelectorAll("[data-place]")) {
        const place = node.dataset.place;
        const here = isAt(place, path);
        setAttribute(node, "aria-current", here ? "page" : null);
      }
      setAttribute(more, "data-current", second.some(([place]) => isAt(place, path)) || null);
    },
  };
}

/** The initials at the top of Home on a phone. */
export const accountButton = () => h("button.initials.top-me", { "aria-haspopup": "dialog", "aria-label": `${session.me.name}. ${text.nav.account}`, onclick: () => openMore([], true) }, initials(session.me.name));

function openMore(placesHere, account) {
  sheet(account ? session.me.name : text.nav.more, (close) => [
    h("p.third.sheet-sub", account ? text.roles[session.me.role] || session.me.role : session.me.name),
    h("ul.menu",
      (account ? [["/settings/account", "key", text.settings.account], ["/settings/browser", "sun", text.settings.browser]] : placesHere).map(([href, drawing, word]) => h("li", h("a", { href, onclick: () => close("") }, icon(drawing, "i20"), word))),
      h("li", h("button", { onclick: async () => {
        close("");
        if (await confirm({ title: text.signIn.outTitle, body: text.signIn.outBody, verb: text.signIn.out, danger: false })) {
          await signOut();
          location.assign("/sign-in");
        }
      } }, icon("leave", "i20"), text.signIn.out))),
  ]);
}

/** A bare page: claim, sign-in, join. */
export function showBarePage(main) {
  document.body.classList.remove("framed");
  fill(document.body, h("div.bare", main), polite, assertive);
}
