// Someone waits to be let in: who, where, how long still, and the two answers.

import { api, newKey } from "../Shell/api.js";
import { alarm, say } from "../Shell/chrome.js";
import { keyed } from "../Shell/keyed.js";
import { fill, h, icon, put } from "../Shell/h.js";
import { follow, known, refresh } from "../Shell/live.js";
import { text } from "../Shell/text.js";
import { countdown, now, read } from "../Shell/time.js";

const words = text.asks;

/** The cards, newest first; nothing when nobody asks. */
export function askCards(until) {
  const node = h("section.asks", { "aria-label": words.title });
  const answered = new Set();
  until(follow("asks", (asks) => {
    const open = asks.filter((ask) => !answered.has(ask.ask_id)).sort((a, b) => read(b.asked_at) - read(a.asked_at));
    const keep = [...node.querySelectorAll("[data-answered]")].map((card) => card.ask);
    keyed(node, [...open, ...keep], (ask) => ask.ask_id, (ask) => card(ask, answered));
  }));
  const timer = setInterval(() => node.querySelectorAll(".ask-note").forEach((line) => line.tick && line.tick()), 1000);
  until(() => clearInterval(timer));
  return node;
}

function card(ask, answered) {
  const pairing = ask.kind === "pairing";
  const title = pairing ? words.pairing(ask.guest_name) : words.command(ask.guest_name, ask.device_name || "");
  const note = h("p.ask-note.small");
  note.tick = () => {
    const left = read(ask.expires_at) - now();
    put(note, pairing ? words.pairingNote(read(ask.asked_at)) : words.note(read(ask.asked_at), countdown(left)));
  };
  note.tick();
  const said = h("p.small.ask-wrong", { role: "alert", hidden: true });
  const buttons = h("div.ask-do");
  const node = h("article.ask", icon(pairing ? "phone" : "pass", "i22"), h("div.ask-words", h("h2", title), note, said), buttons);
  node.ask = ask;
  const answer = (yes) => async (event) => {
    const all = buttons.querySelectorAll("button");
    if (event.currentTarget.getAttribute("aria-disabled")) return;
    all.forEach((button) => button.setAttribute("aria-disabled", "true"));
    const path = pairing ? `/guests/${encodeURIComponent(ask.guest_id)}` : `/commands/${encodeURIComponent(ask.command_id)}`;
    try {
      await api("POST", `${path}/${yes ? "approve" : "reject"}`, { key: newKey() });
      done(words.done(yes));
      say(`${title}: ${words.done(yes)}`);
    } catch (error) {
      if (error.status === 404 || error.status === 409 || error.status === 410) return done(words.gone);
      said.hidden = false;
      put(said, text.error(error));
      alarm(text.error(error));
      all.forEach((button) => button.removeAttribute("aria-disabled"));
    }
    refresh("asks", "guests", "activity");
  };
  function done(word) {
    answered.add(ask.ask_id);
    node.dataset.answered = "";
    fill(buttons, h("p.ask-done", icon("check", "i18"), word));
    setTimeout(() => {
      delete node.dataset.answered;
      if (known("asks")) refresh("asks");
    }, 5000);
  }
  fill(buttons, h("button.button.filled", { type: "button", onclick: answer(true) }, pairing ? words.allow : words.letIn), h("button.button.outlined.refuse", { type: "button", onclick: answer(false) }, words.refuse));
  return node;
}
