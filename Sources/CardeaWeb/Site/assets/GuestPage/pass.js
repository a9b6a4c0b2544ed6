// The pass of this browser: its API calls, its commands, and the leaf that shows each command from the touch to its result.

import { holdGesture } from "../Devices/holdGesture.js";
import { fill, glyph, h, icon, id, setText } from "../Shell/dom.js";
import { countdown, now } from "../Shell/time.js";
import { answered, passStore, phoneKey, getPasskey, sign } from "./storage.js";
import { lower, refusal, words } from "./words.js";

/** The pairing or the door command in progress; a reload continues it with the same key. Without storage it is forgotten. */
export const pending = {
  get() {
    try {
      return JSON.parse(sessionStorage["cardea-guest-command"]);
    } catch {}
  },
  set(value) {
    try {
      sessionStorage["cardea-guest-command"] = JSON.stringify(value);
    } catch {}
  },
};
/** A unique key of 128 random bits. */
export const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns `{ ok, status, body, error }`; throws only without an answer. */
async function call(path, token, sent, key, proof) {
  const headers = { "Content-Type": "application/json", ...proof };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (key) headers["Idempotency-Key"] = key;
  const answer = await fetch(`/api/${path}`, { method: sent ? "POST" : "GET", headers, body: sent && JSON.stringify(sent), cache: "no-store", credentials: "omit" });
  const { status } = answer;
  const body = await answer.json().catch(() => ({}));
  // A gateway whose hub does not answer.
  if (status > 501 && !body.error) throw new TypeError();
  return { ok: status === 200, status, body, error: body.error };
}

export const reportScan = (code) => call("guest_access/pair/scanned", null, { pairing_code: code });
/** While approval is pending, the same phone asks again: it is recognised by its key, or by what the first answer gave it. */
export async function pair(code, passkey) {
  const asked = pending.get();
  const { claim_secret, ask_again } = asked && asked.code === code ? asked : {};
  const answer = await call("guest_access/pair", null, { pairing_code: code, ...(await phoneKey(code)), claim_secret, ask_again, passkey });
  if (answer.status === 202) pending.set({ code, ask_again, claim_secret: answer.body.claim_secret || claim_secret, passkey });
  else {
    pending.set(null);
    await answered();
  }
  return answer;
}
export const passStatus = (token) => call("guest_access/pass", token);
/** Restores the pass of this phone's passkey, bound to a new key; throws if the guest cancelled. */
export async function restore() {
  const { body } = await call("v1/auth/passkeys/login/options", null, {});
  const credential = await getPasskey(Uint8Array.from(atob(body.public_key.challenge.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0)));
  return call("guest_access/restore", null, { credential, ...(await phoneKey()) });
}
/** The phone that the pass is bound to, if any. */
const device = () => (passStore.now || { pass: {} }).pass.device_id;

/** Signed with this browser's key if the pass is bound to it; repeated once with a new nonce if the hub did not accept the proof. */
export async function sendAction(token, command) {
  const { action, entity_id, key } = command, path = "guest_access/action", sent = { action, entity_id };
  for (let last = !device(), proof; ; last = true) {
    if (device()) {
      const since = Date.now();
      const nonce = await call(`${path}/nonce`, token);
      if (!nonce.ok) return nonce;
      // The guest has left the door.
      if (Date.now() - since > 8000) throw new TypeError();
      // Verified once for one opening: a repeated request is recognised by its key.
      const verified = passStore.now.pass.presence === "verified" && !command.shown;
      proof = await sign(device(), `/api/${path}`, JSON.stringify(sent), nonce.body, verified);
    }
    const answer = await call(path, token, sent, key, proof);
    if (answer.status !== 401) command.shown = true;
    // A used proof was accepted.
    if (last || answer.status !== 401 || !/^action_(?!proof_replay)/.test(answer.error)) return answer;
  }
}

/** The event stream of the pass: `live` while it is open; `wake` is called when a command has news. */
export const realtime = { live: false, wake() {} };
const wake = () => realtime.wake();

/** Opens the event stream. If it is lost, the next look opens it again, if the pass may listen then. Without it the pass is polled. */
export async function connect(page) {
  if (realtime.on) return;
  realtime.on = true;
  // The pass may have ended, or is paused. Not before the next look, so that an absent or refusing hub is not asked without end.
  const lost = async () => {
    realtime.live = false;
    await page.look();
    realtime.on = false;
  };
  try {
    const { body } = await call("v1/realtime/ticket", page.mine.token, {});
    const socket = new WebSocket(`${location.origin.replace("http", "ws")}/api/v1/realtime`);
    socket.onopen = () => socket.send(JSON.stringify({ type: "subscribe", ticket: body.ticket }));
    realtime.end = () => socket.close();
    socket.onclose = lost;
    socket.onmessage = ({ data }) => {
      const { type } = JSON.parse(data);
      realtime.live = true;
      if (type === "command_update") wake();
      if (type === "guest_update") page.look();
    };
  } catch {
    lost();
  }
}

const DEADLINE = 10000;

/** Withdraws the request for approval; the command's own result tells if that was in time. */
const takeBack = (token, { id }) => call("guest_access/action/cancel", token, { command_id: id }).then(wake, wake);

/**
 * Sends one door command and waits for its result. It is sent again, with the same key, only for the ten seconds in which the guest
 * is still at the door; after that it asks once more about a command that the hub is known to have. `tell` gets "waiting", "nolink", or the end of the wait for approval.
 */
async function carry(token, command, tell) {
  const asked = () => command.until && now() < command.until + 2000;
  for (;;) {
    if (Date.now() - command.at > DEADLINE && !asked() && !command.fresh) return { kind: "lost" };
    command.fresh = false;
    try {
      const { status, body, error } = await sendAction(token, command);
      // An approval that came while this phone slept may be old: the door may be shut again.
      if (status === 200) return { kind: command.until && !asked() ? "unsure" : "open", broke: true, body };
      if (status === 202) {
        command.until = body.expires_at * 1000;
        command.id = body.command_id;
        command.asks = body.message;
        command.fresh = true;
        pending.set(command);
        tell(command.until);
        await Promise.race([pause(realtime.live ? 9000 : 2500), new Promise((done) => (realtime.wake = done))]);
      } else if (error === "in_flight") {
        // Our own first try is still in progress: wait for it, at most as long as a garage door takes.
        if (Date.now() - command.at > 65000 && !asked()) return { kind: "unsure", body };
        tell("waiting");
        command.fresh = true;
        // The hub gives a phone thirty nonces a minute.
        await pause(device() ? 2500 : 600);
      } else {
        if (status === 504) return { kind: "unsure", body };
        if (error === "internal_error") return { kind: "lost" };
        return { kind: status < 500 ? "refused" : "failed", error, body };
      }
    } catch (error) {
      // The guest cancelled the phone's check.
      if (error instanceof DOMException) return { kind: "refused", error: "presence_required", body: {} };
      tell("nolink");
      await pause(1000);
    }
  }
}

// The leaf: a door-colored slab with two hinge marks and a brass bolt. It has five faces in one box:
// the leaf itself, waiting, open, not sure, and refused. Below: one door command from the touch to its result.

const mark = (tag, ...parts) => h(tag, { "aria-hidden": "true" }, parts);
const hinges = () => [mark("span.hinge.top"), mark("span.hinge.bottom")];
const bolt = () => [...hinges(), mark("span.notch"), mark("span.bolt")];

class DoorLeaf extends HTMLElement {
  /** `door` is the entity it opens; `row` is true for one of several; `tell` announces the guest's own actions. */
  be(door, row, tell) {
    this.door = door;
    this.tell = tell;
    this.row = row && door.name;
    if (row) this.classList.add("row");
  }

  /** The drawing of a state for this kind of door. */
  drawn(state) {
    return this.door.entity_type === "cover" ? `g-${state.replace("locked", "shut")}` : `d-${state}`;
  }

  /** Its name, if it is one of several. */
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

  /** Ready, waiting for a touch. */
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
      setText(label, first);
      setText(help, second);
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
    this.gesture = holdGesture(button, on);
  }

  /** Sent, result not known yet. Returns the two lines, which count down. */
  waiting() {
    const label = h("span.leaf-label"), help = h("span.leaf-help", words.waitingHelp(this.door));
    this.show("waiting", mark("span.sweep.full"), bolt(), h("div.leaf-button", glyph(this.drawn("moving"), "leaf-glyph"), h("span.leaf-words", this.called("span"), label, help)));
    return { label, help };
  }

  /** Confirmed: the leaf swings open, and lamp light appears behind it. */
  open(back) {
    this.show("open", mark("span.swing", hinges(), h("span.knob")),
      h("div.lit", this.called("p"), h("h2.leaf-label", words.open), h("p.leaf-text", words.openBody(this.door)), h("p.leaf-note", words.openedAt(this.door)),
        back && h("button.button.outlined.leaf-do", { onclick: back }, words.back)));
  }

  /** A face with text: `tone` is unknown, danger, info or quiet; `drawing` a glyph or an icon; `action` is `[label, run]`. */
  say(face, tone, drawing, { title, text }, action) {
    this.show(face, h(`div.said.${tone}`, /-/.test(drawing) ? glyph(drawing) : icon(drawing, "said-icon"), this.called("p"), h("h2.said-title", title), text && h("p.leaf-text", text),
      action && h("div.leaf-do", h("button.button.outlined.wide", { onclick: action[1] }, action[0]))));
  }
}

customElements.define("door-leaf", DoorLeaf);

/** Carries out `command`; it stays in this browser until its result, so that a reload asks about the same one. */
export async function runCommand(page, leaf, command) {
  const { door } = leaf;
  page.busy.add(door.entity_id);
  pending.set(command);
  const { label, help } = leaf.waiting();
  let until = 0;
  const tick = () => until ? setText(help, words.pendingBody(countdown(until - now()))) : setText(label, words.waiting(door, Math.max(0, Math.ceil((command.at + DEADLINE - Date.now()) / 1000))));
  tick();
  page.say(words.waiting(door));
  const ticking = setInterval(tick, 250);
  let answer = await carry(page.mine.token, command, (news) => {
    if (!(news > 0)) return setText(help, news === "nolink" ? words.offlineNow : words.waitingHelp(door));
    if (!until) leaf.append(h("button.button.leaf-cancel", { onclick: () => takeBack(page.mine.token, command) }, words.cancel));
    until = news;
    setText(label, command.asks);
    page.say(command.asks);
  });
  clearInterval(ticking);
  if (answer.kind === "lost") answer = await whatHappened(page, command);
  conclude(page, leaf, command, answer);
  pending.set(null);
  page.busy.delete(door.entity_id);
  page.look();
}

/** The answer was lost. The count of uses tells if the hub took the command; if that is unknown too, the page says so. */
async function whatHappened(page, command) {
  for (let round = 0; round < 3; round += 1) {
    try {
      const { ok, body } = await passStatus(page.mine.token);
      return { kind: ok && body.used_count <= command.used ? "unheard" : "unsure", broke: true, body };
    } catch {
      await pause(1000);
    }
  }
  return { kind: "unsure", broke: true };
}

function conclude(page, leaf, command, { kind, error, body = {}, broke }) {
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
    if (why.wait) countdownButton(leaf.querySelector(".said"), why.wait, again);
  }
}

/** A button that counts down and then enables itself. */
export function countdownButton(place, seconds, run) {
  const end = Date.now() + seconds * 1000;
  const free = h("button.button.outlined.wide.big", { onclick: () => end < Date.now() && run() });
  place.append(free);
  const tick = () => {
    const left = end - Date.now();
    setText(free, left > 0 ? words.again(countdown(left)) : words.tryNew);
    if (left > 0) free.setAttribute("aria-disabled", "true", setTimeout(tick, 500));
    else free.removeAttribute("aria-disabled");
  };
  tick();
}
