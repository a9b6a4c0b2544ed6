// A request to be let in: who, where, the time left, and two answers.

import { api, newKey } from "../Shell/api.js";
import { announceError, announce } from "../Shell/layout.js";
import { setAttribute, keyed } from "../Shell/reconcile.js";
import { fill, h, icon, setText } from "../Shell/dom.js";
import { follow, known, refresh } from "../Shell/liveData.js";
import { text } from "../Shell/text.js";
import { countdown, now, read } from "../Shell/time.js";

const words = text.asks;
/** Ignores clicks just after a card appeared or went: they were meant for something else. */
const IGNORE_MS = 600;

/** The cards, newest first; empty without requests. */
export function askCards(until) {
  const node = h("section.asks", { "aria-label": words.title });
  const answered = new Set();
  until(follow("asks", (asks) => {
    const open = asks.filter((ask) => !answered.has(ask.ask_id));
    const there = new Set(open.map((ask) => ask.ask_id));
    // Answered by someone else, or too late: the card says so before it goes.
    for (const one of node.children) if (!there.has(one.ask.ask_id) && !answered.has(one.ask.ask_id)) one.done(words.gone);
    const keep = [...node.querySelectorAll("[data-answered]")].map((one) => one.ask);
    const next = (node.querySelector(":focus") || node).closest(".ask");
    const before = [...node.children];
    keyed(node, [...open, ...keep].sort((a, b) => read(b.asked_at) - read(a.asked_at)), (ask) => ask.ask_id, (ask) => card(ask, answered));
    if (before.length === node.childElementCount && before.every((one, at) => one === node.children[at])) return;
    for (const one of node.children) one.wait();
    // If the card with the focus has gone, the focus goes to the one in its place, or to the page's head.
    if (next && !next.isConnected) (node.children[Math.min(before.indexOf(next), node.childElementCount - 1)] || document.querySelector("h1")).focus();
  }));
  const timer = setInterval(() => node.querySelectorAll(".ask-note").forEach((line) => line.tick && line.tick()), 1000);
  until(() => clearInterval(timer));
  return node;
}

function card(ask, answered) {
  const pairing = ask.kind === "pairing";
  const second = pairing && ask.is_second_phone;
  const title = pairing ? words.pairing(ask.guest_name, second) : words.command(ask.guest_name, ask.device_name || "");
  const note = h("p.ask-note.small");
  note.tick = () => {
    const left = read(ask.expires_at) - now();
    setText(note, pairing ? words.pairingNote(read(ask.asked_at), ask.replaces_phone) : words.note(read(ask.asked_at), countdown(left)));
  };
  note.tick();
  const said = h("p.small.ask-wrong", { role: "alert", hidden: true });
  const buttons = h("div.ask-do");
  const node = h("article.ask", { tabindex: "-1" }, icon(pairing ? "phone" : "pass", "i22"), h("div.ask-words", h("h2", title), pairing && h("p.ask-number", ask.number), note, said), buttons);
  node.ask = ask;
  let sending = false;
  const ignoreClicks = (yes) => buttons.querySelectorAll("button").forEach((button) => setAttribute(button, "aria-disabled", yes ? "true" : null));
  node.wait = () => {
    ignoreClicks(true);
    clearTimeout(node.waiting);
    node.waiting = setTimeout(() => sending || ignoreClicks(false), IGNORE_MS);
  };
  const answer = (yes) => async (event) => {
    if (event.currentTarget.getAttribute("aria-disabled")) return;
    sending = true;
    ignoreClicks(true);
    const path = pairing ? `/guests/${encodeURIComponent(ask.guest_id)}` : `/commands/${encodeURIComponent(ask.command_id)}`;
    try {
      await api("POST", `${path}/${yes ? "approve" : "reject"}`, { body: pairing ? { number: ask.number } : undefined, key: newKey() });
      done(words.done(yes));
      announce(`${title}: ${words.done(yes)}`);
    } catch (error) {
      if (error.status === 404 || error.status === 409 || error.status === 410) return done(words.gone);
      said.hidden = false;
      setText(said, text.error(error));
      announceError(text.error(error));
      sending = false;
      ignoreClicks(false);
    }
    refresh("asks", "guests", "activity");
  };
  node.done = done;
  function done(word) {
    answered.add(ask.ask_id);
    node.dataset.answered = "";
    // The button goes, so the focus moves to the card.
    if (node.contains(document.activeElement)) node.focus();
    fill(buttons, h("p.ask-done", icon("check", "i18"), word));
    setTimeout(() => {
      delete node.dataset.answered;
      if (known("asks")) refresh("asks");
    }, 5000);
  }
  const button = (yes, style, word) => h(`button.button.${style}`, { onclick: answer(yes) }, word);
  const yes = button(true, second ? "outlined" : "filled", pairing ? words.allow : words.letIn), no = button(false, second ? "filled" : "outlined.refuse", words.refuse);
  fill(buttons, second ? [no, yes] : [yes, no]);
  return node;
}
