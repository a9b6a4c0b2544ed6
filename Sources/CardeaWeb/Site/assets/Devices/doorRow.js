// A door in a list: its state, since when, and one action.

import { announceError, announce } from "../Shell/layout.js";
import { setAttribute, swapGlyph } from "../Shell/reconcile.js";
import { fill, glyph, h, id, setText } from "../Shell/dom.js";
import { since, timeElement } from "../Shell/relativeTime.js";
import { lowerName, text } from "../Shell/text.js";
import { now, read } from "../Shell/time.js";
import { COMMAND_TIMEOUT, runDoorCommand, newCommand, deniedNotice, pendingCommands } from "./commands.js";
import { holdGesture } from "./holdGesture.js";
import { doorState, may, openingAction, denialReason } from "./deviceKinds.js";

const words = text.door;

/** A button to be held, for actions that open a door. Styles read the progress from `host`. */
function held(host, name, action, fire) {
  const verb = text.verbs[action];
  const label = h("span.hold-label", words.hold(verb));
  const whom = h("span.vh", ` ${lowerName(name)}`);
  const help = h("span.vh", { id: id("door") }, words.describe(name));
  const button = h("button.button.tonal.hold", { "aria-describedby": help.id }, h("span.hold-sweep", { "aria-hidden": "true" }), label, whom);
  const cancel = h("button.button.outlined", { hidden: true, onclick: () => gesture.disarm() }, text.cancel);
  const mark = (to, word) => {
    setAttribute(host, "data-hold", to);
    setText(label, word);
    // Cancel hides itself, so the focus moves first.
    if (to !== "armed" && document.activeElement === cancel) button.focus();
    cancel.hidden = to !== "armed";
    whom.hidden = to === "armed";
  };
  const gesture = holdGesture(button, {
    rest: () => mark(null, words.hold(verb)),
    holding: () => mark("holding", words.holding),
    armed: () => {
      mark("armed", words.armed(verb, name));
      announce(words.armed(verb, name));
    },
    fire: () => {
      gesture.again();
      if (host.isConnected) fire();
    },
  });
  /** Shows on the button for a moment that it was done. */
  const tell = (done) => {
    setText(label, done);
    setTimeout(() => label.textContent === done && setText(label, words.hold(verb)), 2000);
  };
  return { nodes: [cancel, button, help], help, gesture, tell };
}

/** Buttons to be held, for actions that open a door; the one for the current state is hidden. */
export function holdButtons(tile, actions) {
  const parts = actions.map((action) => {
    const node = h("span.row-buttons");
    const { nodes, tell } = held(node, tile.label, action, async () => {
      await tile.send(action);
      if (action === "press" && !tile.wrong) tell(text.tile.pressed);
    });
    fill(node, nodes);
    return node;
  });
  return { node: h("div.row-buttons", parts), paint: ({ state }, allowed) => parts.forEach((node, at) => (node.hidden = !allowed || DONE[actions[at]] === state)) };
}
const DONE = { on: "on", off: "off", disarm: "disarmed", trigger: "triggered" };

export class DoorRow extends HTMLElement {
  constructor() {
    super();
    this.mode = null;
    this.gesture = null;
    this.outcome = null;
    this.busy = false;
  }

  /** Updates the door; `by` names the person who moved it last, if known. */
  update(door, { by } = {}) {
    const first = !this.door;
    this.door = door;
    this.by = by;
    if (first) this.build();
    this.paint();
    if (first) {
      const sent = pendingCommands.get(door.entity.entity_id);
      if (sent) this.follow(sent);
    }
  }

  disconnectedCallback() {
    if (this.gesture) this.gesture.stop();
    clearInterval(this.ticking);
    this.away = true;
  }

  /** A row that was moved in the document is reconnected: it listens and counts again. */
  connectedCallback() {
    if (!this.away) return;
    this.away = false;
    if (this.busy) return this.count();
    this.mode = null;
    this.paint();
  }

  /** Counts the seconds to the deadline, for as long as an outcome is awaited. */
  count() {
    clearInterval(this.ticking);
    this.tick();
    this.ticking = setInterval(this.tick, 250);
  }

  build() {
    const { device, name } = this.door;
    this.describedBy = id("door");
    this.drawing = glyph("d-unknown");
    this.word = h("span.door-word");
    this.note = h("span.door-note");
    this.line = h("p.door-line", { id: this.describedBy }, this.word, " ", this.note);
    this.said = h("p.door-said", { hidden: true });
    this.action = h("div.door-action");
    fill(this, this.drawing, h("div.door-words", h("h3", h("a.door-name", { href: `/devices/${encodeURIComponent(device.device_id)}` }, name)), this.line, this.said), this.action);
  }

  paint() {
    const state = doorState(this.door);
    this.state = state;
    this.drawing = swapGlyph(this.drawing, this.busy && state.id !== "silent" ? `${this.door.garage ? "g" : "d"}-moving` : state.drawing);
    setAttribute(this, "data-tone", this.busy ? "info" : state.tone);
    setAttribute(this, "data-warm", state.warm && !this.busy ? state.warm : null);
    setText(this.word, state.word);
    this.tellSince(state);
    setText(this.querySelector(".door-name"), this.door.name);
    // The result of the last command stays until the door moves again.
    if (this.outcome && read(this.door.device.state_changed_at) > this.outcome.at + 4000) this.outcome = null;
    // A door in an unknown state has to be looked at.
    const said = this.outcome || (state.tone === "unknown" && !this.busy && { words: words.look(this.door), tone: "unknown" });
    this.said.hidden = !said;
    if (said) {
      setText(this.said, said.words);
      setAttribute(this.said, "data-tone", said.tone);
    }
    if (!this.busy) this.offer();
    if (this.help) setText(this.help, words.describe(`${this.state.word} ${this.state.note}`));
  }

  /** Since when, and by whom; the page's timer updates the words. */
  tellSince({ note, changed }) {
    const by = this.by && changed ? text.door.by(this.by) : "";
    const shown = `${changed || note}${by}`;
    if (this.note.dataset.of === shown) return;
    this.note.dataset.of = shown;
    fill(this.note, changed ? timeElement(changed, since) : note, by);
  }

  /** The reason why this person may not open it, or null. */
  get denied() {
    return denialReason(this.door.device, may(this.door.entity, openingAction(this.door.entity)));
  }

  /** Shows the confirmed state only, never the requested one. */
  get shown() {
    return this.door.entity;
  }

  /** Chooses the one action: open a shut door, shut an open one, stop a moving one. A person who may not open it is offered to shut it, unless it is shut. */
  offer() {
    const { denied, door: { device, entity, name }, state: { id } } = this;
    const open = openingAction(entity);
    let mode = "none";
    if (denialReason(device)) mode = "denied";
    else if (document.body.classList.contains("lost")) mode = "offline";
    else if (id === "moving" && may(entity, "stop")) mode = "stop";
    else if (id === "open" && may(entity, "close")) mode = "close";
    else if ((id === "unlocked" || id === "open") && may(entity, "lock")) mode = "lock";
    else if (id !== "moving" && open) mode = !denied ? "open" : (!/locked|shut/.test(id) && ["lock", "close"].find((one) => may(entity, one))) || "denied";
    if (mode === this.mode) return;
    this.mode = mode;
    if (this.gesture) this.gesture.stop();
    this.gesture = null;
    setAttribute(this, "data-hold", null);
    const hadFocus = this.action.contains(document.activeElement);
    if (mode === "open") this.holdButton(open);
    else if (mode === "none") fill(this.action);
    else if (mode === "offline") fill(this.action, h("p.door-off.small", words.offline));
    else if (mode === "denied") fill(this.action, deniedNotice(() => this.door, name, denied));
    else fill(this.action, h(`button.button.outlined.door-do`, { "aria-describedby": this.describedBy, onclick: () => this.begin(mode) }, words[mode], h("span.vh", ` ${lowerName(name)}`)));
    const button = hadFocus && this.action.querySelector("button:not([hidden])");
    if (button) button.focus();
  }

  holdButton(action) {
    const { nodes, help, gesture } = held(this, this.door.name, "open", () => this.begin(action));
    fill(this.action, nodes);
    this.help = help;
    this.gesture = gesture;
  }

  begin(action, value) {
    return this.busy ? null : this.follow(newCommand(this.door.device, this.door.entity, action, value));
  }

  /** The same for the buttons below the row on its own page. */
  async send(action, value) {
    await this.begin(action, value);
    this.wrong = this.outcome && this.outcome.tone !== "quiet";
  }

  async follow(sent) {
    this.busy = true;
    this.outcome = null;
    this.mode = "busy";
    if (this.gesture) this.gesture.stop();
    const hadFocus = this.action.contains(document.activeElement);
    const line = h("p.door-wait", { tabindex: "-1" });
    fill(this.action, line);
    if (hadFocus) line.focus();
    const end = sent.at + COMMAND_TIMEOUT;
    this.tick = () => setText(line, words.waiting(this.door, Math.max(0, Math.ceil((end - Date.now()) / 1000))));
    this.count();
    announce(words.waiting(this.door));
    this.paint();
    const result = await runDoorCommand(this.door, sent, (news) => news === "nolink" && setText(line, words.nolink));
    clearInterval(this.ticking);
    this.busy = false;
    this.mode = null;
    if (result.kind === "confirmed") {
      const at = now();
      const done = { lock: words.lockedAt, close: words.closedAt, stop: words.stoppedAt, set_position: words.movedAt }[sent.action] || words.opened;
      this.outcome = { words: done(at), tone: "quiet", at };
      if (result.state) this.door = { ...this.door, entity: { ...this.door.entity, state: result.state } };
      announce(`${this.door.name}: ${done(at)}`);
    } else {
      this.outcome = { words: result.words, tone: result.kind === "failed" || result.kind === "refused" ? "danger" : "unknown", at: now() };
      announceError(`${this.door.name}: ${result.words}`);
    }
    const focused = document.activeElement === line;
    this.paint();
    if (focused && this.action.querySelector("button:not([hidden])")) this.action.querySelector("button:not([hidden])").focus();
  }
}

customElements.define("door-row", DoorRow);
