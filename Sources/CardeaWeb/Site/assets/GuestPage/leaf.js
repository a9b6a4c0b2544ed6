// The leaf: a door-coloured slab with two hinge marks and a brass bolt. It has five faces in one box:
// the leaf itself, waiting, open, not sure, and no.

import { hold } from "../Devices/hold.js";
import { fill, glyph, h, icon, id, put } from "../Shell/h.js";
import { words, lower } from "./words.js";

export class DoorLeaf extends HTMLElement {
  constructor() {
    super();
    this.gesture = null;
  }

  /** What it opens: `{ door, garage, row: true for one of several }`. */
  set door(value) {
    this.what = value;
    this.classList.toggle("row", Boolean(value.row));
  }

  disconnectedCallback() {
    if (this.gesture) this.gesture.stop();
  }

  show(face, ...parts) {
    if (this.gesture) this.gesture.stop();
    this.gesture = null;
    const hadFocus = this.contains(document.activeElement);
    this.dataset.face = face;
    fill(this, parts);
    if (hadFocus) {
      const target = this.querySelector("button") || this;
      if (target === this) this.tabIndex = -1;
      target.focus({ preventScroll: true });
    }
  }

  /** The leaf at rest, waiting for a hand. `help` says what the door is doing. */
  rest(help = words.holdHelp) {
    const { door, garage } = this.what;
    const labelId = id("leaf"), helpId = id("leaf");
    const label = h("span.leaf-label", words.hold);
    const named = h("span.vh", ` ${lower(door)}`);
    const second = h("span.leaf-help", { id: helpId }, help);
    const button = h("button.leaf-button", { type: "button", "aria-labelledby": labelId, "aria-describedby": helpId },
      glyph(garage ? "g-shut" : "d-locked", "leaf-glyph"),
      h("span.leaf-words", h("span", { id: labelId }, this.what.row ? h("span.leaf-door", door) : null, label, this.what.row ? null : named), second));
    const cancel = h("button.button.leaf-cancel", { type: "button", hidden: true, onclick: () => this.gesture && this.gesture.disarm() }, words.cancel);
    const mark = (state) => {
      this.dataset.hold = state;
      cancel.hidden = state !== "armed";
    };
    this.show("leaf", h("span.sweep", { "aria-hidden": "true" }), hinges(), bolt(), button, cancel);
    mark("rest");
    this.gesture = hold(button, {
      rest: () => {
        mark("rest");
        put(label, words.hold);
        put(second, help);
        named.hidden = false;
      },
      holding: () => {
        mark("holding");
        put(label, words.holding);
        put(second, words.holdingHelp);
      },
      armed: () => {
        mark("armed");
        put(label, words.armed(door));
        put(second, words.armedHelp);
        named.hidden = true;
        this.dispatchEvent(new CustomEvent("armed", { bubbles: true, detail: words.armed(door) }));
      },
      fire: () => {
        mark("fired");
        this.dispatchEvent(new CustomEvent("open", { bubbles: true }));
      },
    });
  }

  /** Sent, not yet known. Returns the line whose words count down. */
  waiting(title, help) {
    const label = h("span.leaf-label", title);
    const second = h("span.leaf-help", help);
    this.show("waiting", h("span.sweep.full", { "aria-hidden": "true" }), hinges(), bolt(),
      h("div.leaf-button", glyph(this.what.garage ? "g-moving" : "d-moving", "leaf-glyph"),
        h("span.leaf-words", this.what.row ? h("span.leaf-door", this.what.door) : null, label, second)));
    return { label, second };
  }

  /** Confirmed: the leaf swings aside and lamp light stands behind it. */
  open(text, note, back) {
    this.show("open", h("span.swing", { "aria-hidden": "true" }, hinges(), h("span.knob")),
      h("div.lit", this.what.row ? h("p.leaf-door", this.what.door) : null, h("h2.leaf-label", words.open), h("p.leaf-text", text), h("p.leaf-note", note),
        back && h("button.button.outlined.leaf-do", { type: "button", onclick: back }, words.back)));
  }

  /** Any face that is words: `tone` is unknown, danger, info or quiet; `drawing` is a glyph; `action` is `[label, run]`. */
  say(face, { tone, drawing, title, text, action }) {
    this.show(face, h(`div.said.${tone}`,
      drawing && (/^[dg]-/.test(drawing) ? glyph(drawing) : icon(drawing, "said-icon")),
      this.what && this.what.row ? h("p.leaf-door", this.what.door) : null,
      h("h2.said-title", title), text && h("p.leaf-text", text),
      action && h("div.leaf-do", h("button.button.outlined.wide", { type: "button", onclick: action[1] }, action[0]))));
  }
}

const hinges = () => [h("span.hinge.top", { "aria-hidden": "true" }), h("span.hinge.bottom", { "aria-hidden": "true" })];
const bolt = () => h("span.notch", { "aria-hidden": "true" }, h("span.bolt"));

customElements.define("door-leaf", DoorLeaf);
