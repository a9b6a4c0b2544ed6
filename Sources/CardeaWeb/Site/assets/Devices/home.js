// Home: the summary in one sentence, requests to be let in, the doors, the rooms.

import { entryRow } from "../Activity/entryRow.js";
import { passRow } from "../Guests/passRow.js";
import { accountButton } from "../Shell/layout.js";
import { keyed } from "../Shell/reconcile.js";
import { fill, h, icon, setText } from "../Shell/dom.js";
import { follow, followConnection, isOutdated, known } from "../Shell/liveData.js";
import { empty, topicError, section, skeleton } from "../Shell/components.js";
import { text } from "../Shell/text.js";
import { session } from "../Sessions/session.js";
import { doorPanel, roomSections } from "./deviceGrid.js";
import { sceneChips } from "./scenes.js";
import { houseSummary } from "./summary.js";

const words = text.home;

export async function open({ until }) {
  const strong = h("span"), quiet = h("span.quiet-words", h("span.late", words.asking));
  const asOf = h("span.third");
  const say = h("h1.say", { tabindex: "-1" }, asOf, strong, " ", quiet);
  const board = h("div", skeleton(3, "doors"));
  const doors = doorPanel(), room = roomSections();
  const doorSection = section(words.doors, {}, doors.node);
  const scenes = sceneChips(until);
  const first = firstThings(until);
  let devices = null, heard = 0, connection = null;

  const paint = (news, at, changed) => {
    devices = news;
    heard = at || heard;
    setText(asOf, connection || isOutdated("devices") ? `${text.connection.asOf(heard)} ` : "");
    const words = houseSummary(devices);
    setText(strong, words.strong);
    setText(quiet, words.quiet);
    if (!devices.length) return fill(board, nothingYet());
    doors.update(devices);
    room.update(devices, changed);
    doorSection.hidden = !doors.node.querySelector("li");
    if (!doorSection.isConnected) fill(board, doorSection, scenes, room.node);
  };
  until(follow("devices", paint, (error) => {
    if (devices !== null) return;
    setText(quiet, error.status === 403 ? text.nothingHere : words.unknown);
    fill(board, topicError("devices", error));
  }));
  until(followConnection((state) => {
    connection = state;
    if (devices) paint(devices);
  }));

  const top = h("header.home-top", h("span.brand", h("span.home-mark", icon("mark", "i22")), h("span", session.house.name)), accountButton());
  return {
    title: text.nav.home,
    className: "home",
    node: h("div.with-aside", h("div", top, say, board, first), aside(until)),
  };
}

function nothingYet() {
  return h("div.panel", empty(words.noDevices, words.noDevicesBody, session.can("modify_settings") && h("a.button.filled", { href: "/settings/integrations" }, words.connect)));
}

/** Entries that Home shows first. Changes of settings and keys fill the rows that are left: on the day of a setup they would fill all six. */
const isOfPeopleOrDevices = ({ action, device_name, who }) => device_name || who?.kind === "guest" || /^(command|guest|house|log|pair|people)/.test(action);

/** Beside the board on wide pages: the latest six entries, and the passes in use. */
function aside(until) {
  const latest = h("ul.feed");
  const noEvents = h("p.third.small", { hidden: true }, words.noActivity);
  const latestPanel = h("section.panel.padded", h("div.section-head", h("h2", words.latest), h("a", { href: "/activity" }, words.allActivity)), latest, noEvents);
  // Hidden until the first data arrives, so that it pushes nothing down.
  const node = h("aside.aside", { hidden: true, "aria-label": words.latest }, latestPanel);
  until(follow("activity", ({ entries }) => {
    node.hidden = false;
    noEvents.hidden = entries.length > 0;
    setText(noEvents, words.noActivity);
    const first = [...new Set([...entries.filter(isOfPeopleOrDevices), ...entries])].slice(0, 6);
    keyed(latest, entries.filter((entry) => first.includes(entry)), (entry) => entry.id, (entry) => entryRow(entry));
  }, (error) => {
    node.hidden = false;
    latestPanel.hidden = error.status === 403;
    if (latest.children.length) return;
    noEvents.hidden = false;
    setText(noEvents, text.notHeard.activity);
  }));
  if (!session.can("invite_guests")) return node;
  const passes = h("ul.pass-list");
  const none = h("p.third.small", { hidden: true }, words.noPasses);
  until(follow("guests", (guests) => {
    const inUse = guests.filter((g) => ["active", "scheduled", "waiting", "approval_pending", "suspended", "used_up"].includes(g.status)).slice(0, 5);
    none.hidden = inUse.length > 0;
    keyed(passes, inUse, (g) => `${g.guest_id}-${g.version}-${g.status}-${g.used_count}`, (g) => passRow(g));
  }));
  node.setAttribute("aria-label", `${words.latest}, ${words.passes}`);
  node.append(h("section.panel.padded", h("div.section-head", h("h2", words.passes), h("a", { href: "/guests/new" }, words.invite)), passes, none));
  return node;
}

/** First steps of a new house; hidden when done or dismissed. */
function firstThings(until) {
  if (session.me.role !== "owner" || localStorage.getItem("cardea-first-done")) return null;
  const list = h("ul.rows");
  const node = section(words.first, { aside: h("button.button.plain.small-button", { onclick: () => {
    localStorage.setItem("cardea-first-done", "1");
    node.remove();
  } }, words.dismiss) }, h("div.panel", list));
  node.hidden = true;
  const paint = () => {
    const guests = known("guests"), devices = known("devices");
    if (!guests || !devices) return;
    const todo = [
      !guests.length && ["/guests/new", "pass", words.firstGuest, words.firstGuestBody],
      ["/people", "people", words.firstPeople, words.firstPeopleBody],
      !devices.some((d) => d.integration !== "virtual") && ["/settings/integrations", "plug", words.firstDevices, words.firstDevicesBody],
    ].filter(Boolean);
    node.hidden = Boolean(guests.length);
    keyed(list, todo, ([href]) => href, ([href, drawing, name, help]) => h("li", icon(drawing, "i22"), h("span.row-words", h("a.row-link", { href }, name), h("span.small.third", help)), icon("chevron", "i18")));
  };
  until(follow("guests", paint));
  until(follow("devices", paint));
  return node;
}
