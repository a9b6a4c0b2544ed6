// The leaf: a door-coloured slab with two hinge marks and a brass bolt. It has five faces in one box:
// the leaf itself, waiting, open, not sure, and no. Below: one door command from the hand to its outcome, shown on it.

import { hold } from "../Devices/hold.js";
import { fill, glyph, h, icon, id, put } from "../Shell/h.js";
import { countdown, now } from "../Shell/time.js";
import { DEADLINE, carry, pause, pending, standing, takeBack } from "./pass.js";
import { lower, refusal, words } from "./words.js";

const mark = (tag, ...parts) => h(tag, { "aria-hidden": "true" }, parts);
const hinges = () => [mark("span.hinge.top"), mark("span.hinge.bottom")];
const bolt = () => [...hinges(), mark("span.notch"), mark("span.bolt")];

export class DoorLeaf extends HTMLElement {
  /** The entity it opens; `row` for one of several; `tell` says aloud what a hand did. */
  be(door, row, tell) {
    this.door = door;
    this.tell = tell;
    this.row = row && door.name;
    if (row) this.classList.add("row");
  }

  /** The drawing of a state, as this kind of door has it. */
  drawn(state) {
    return this.door.entity_type === "cover" ? `g-${state.replace("locked", "shut")}` : `d-${state}`;
  }

  /** What it is called where it is one of several. */
  called(tag) {
    return this.row && h(`${tag}.leaf-door`, this.row);
  }

  show(face, ...parts) {
    if (this.gesture) this.gesture.stop();
    const hadFocus = this.contains(document.activeElement);
    this.dataset.face = face;
    fill(this, parts);
    if (!hadFocus) return;
    this.tabIndex = -1;
    (this.querySelector("button") || this).focus({ preventScroll: true });
  }

  /** At rest, waiting for a hand. */
  rest() {
    const { name } = this.door;
    const label = h("span.leaf-label"), named = h("span.vh", ` ${lower(name)}`), help = h("span.leaf-help", { id: id("leaf") });
    const labelled = h("span", { id: id("leaf") }, this.called("span"), label, !this.row && named);
    const button = h("button.leaf-button", { "aria-labelledby": labelled.id, "aria-describedby": help.id },
      glyph(this.drawn("locked"), "leaf-glyph"), h("span.leaf-words", labelled, help));
    const cancel = h("button.button.leaf-cancel", { onclick: () => this.gesture.disarm() }, words.cancel);
    const say = (state, first, second) => {
      this.dataset.hold = state;
      named.hidden = state === "armed";
      cancel.hidden = !named.hidden;
      put(label, first);
      put(help, second);
    };
    const on = {
      rest: () => say("rest", words.hold, words.holdHelp),
      holding: () => say("holding", words.holding, words.holdingHelp),
      armed: () => {
        say("armed", words.armed(name), words.armedHelp);
        this.tell(words.armed(name));
      },
      fire: () => this.dispatchEvent(new CustomEvent("open")),
    };
    this.show("leaf", mark("span.sweep"), bolt(), button, cancel);
    on.rest();
    this.gesture = hold(button, on);
  }

  /** Sent, not yet known. Answers the two lines, which count down. */
  waiting() {
    const label = h("span.leaf-label"), help = h("span.leaf-help", words.waitingHelp(this.door));
    this.show("waiting", mark("span.sweep.full"), bolt(), h("div.leaf-button", glyph(this.drawn("moving"), "leaf-glyph"), h("span.leaf-words", this.called("span"), label, help)));
    return { label, help };
  }

  /** Confirmed: the leaf swings aside and lamp light stands behind it. */
  open(back) {
    this.show("open", mark("span.swing", hinges(), h("span.knob")),
      h("div.lit", this.called("p"), h("h2.leaf-label", words.open), h("p.leaf-text", words.openBody(this.door)), h("p.leaf-note", words.openedAt(this.door)),
        back && h("button.button.outlined.leaf-do", { onclick: back }, words.back)));
  }

  /** Any face that is words: `tone` is unknown, danger, info or quiet; `drawing` a glyph or an icon; `action` is `[label, run]`. */
  say(face, tone, drawing, { title, text }, action) {
    this.show(face, h(`div.said.${tone}`, /-/.test(drawing) ? glyph(drawing) : icon(drawing, "said-icon"), this.called("p"), h("h2.said-title", title), text && h("p.leaf-text", text),
      action && h("div.leaf-do", h("button.button.outlined.wide", { onclick: action[1] }, action[0]))));
  }
}

customElements.define("door-leaf", DoorLeaf);

/** Carries `command` to its outcome; it stays in this browser until then, so that a reload asks for the same one. */
export async function follow(page, leaf, command) {
  const { door } = leaf;
  page.busy.add(door.entity_id);
  pending.set(command);
  const { label, help } = leaf.waiting();
  let until = 0;
  const tick = () => until ? put(help, words.pendingBody(countdown(until - now()))) : put(label, words.waiting(door, Math.max(0, Math.ceil((command.at + DEADLINE - Date.now()) / 1000))));
  tick();
  page.say(words.waiting(door));
  const ticking = setInterval(tick, 250);
  let answer = await carry(page.mine.token, command, (news) => {
    if (!(news > 0)) return put(help, news === "nolink" ? words.offlineNow : words.waitingHelp(door));
    if (!until) leaf.append(h("button.button.leaf-cancel", { onclick: () => takeBack(page.mine.token, command) }, words.cancel));
    until = news;
    put(label, command.asks);
    page.say(command.asks);
  });
  clearInterval(ticking);
  if (answer.kind === "lost") answer = await whatHappened(page, command);
  show(page, leaf, command, answer);
  pending.set(null);
  page.busy.delete(door.entity_id);
  page.look();
}

/** The answer was lost on the way. The count of uses tells whether the house took the command; if not even that is known, we say so. */
async function whatHappened(page, command) {
  for (let round = 0; round < 3; round += 1) {
    try {
      const { ok, body } = await standing(page.mine.token);
      return { kind: ok && body.used_count <= command.used ? "unheard" : "unsure", broke: true, body };
    } catch {
      await pause(1000);
    }
  }
  return { kind: "unsure", broke: true };
}

function show(page, leaf, command, { kind, error, body = {}, broke }) {
  const { door } = leaf;
  const { pass } = page.mine;
  for (const fact of ["remaining_uses", "used_count"]) if (body[fact] !== undefined) pass[fact] = body[fact];
  const more = !pass.max_uses || pass.remaining_uses > 0;
  const again = () => {
    page.note();
    leaf.rest();
    page.look();
  };
  const no = (face, tone, drawing, said, label, note, below) => {
    leaf.say(face, tone, drawing, said, label && [label, again]);
    page.note(note, below);
    page.alarm(`${said.title}. ${said.text}`);
  };
  if (error === "taken_back") {
    again();
    page.note(words.free);
    page.say(words.free);
  } else if (kind === "open") {
    leaf.open(more && again);
    page.note();
    page.say(`${words.open}. ${words.openBody(door)}`);
  } else if (kind === "unsure") {
    no(kind, "unknown", leaf.drawn("unknown"), { title: words.unsure, text: words.unsureBody(door, broke) }, more && words.tryAgain, words.counted(door), words.unsureNote(command.at));
  } else if (!error) {
    no("failed", "info", "link-off", words.unheard, words.tryNew, words.free);
  } else {
    const why = refusal(error, body, pass, door);
    const failed = kind === "failed";
    no(why.over ? "over" : kind, "danger", leaf.drawn(why.drawing || "locked"), why, !why.over && !why.wait && (failed ? words.tryNew : words.back), !why.over && body.use_returned !== false && words.free, !failed && words.refusedNote());
    if (why.over) page.over(error);
    if (why.wait) freeAfter(leaf.querySelector(".said"), why.wait, again);
  }
}

/** A button that counts down and then frees itself. */
export function freeAfter(place, seconds, run) {
  const end = Date.now() + seconds * 1000;
  const free = h("button.button.outlined.wide.big", { onclick: () => end < Date.now() && run() });
  place.append(free);
  const tick = () => {
    const left = end - Date.now();
    put(free, left > 0 ? words.again(countdown(left)) : words.tryNew);
    if (left > 0) free.setAttribute("aria-disabled", "true", setTimeout(tick, 500));
    else free.removeAttribute("aria-disabled");
  };
  tick();
}
