// The buttons of the house as large tiles, at least four places.

import { api, setAttribute, empty, fill, follow, followConnection, h, HubError, icon, keyed, newKey, pageHead, setText, session, skeleton, loadError } from "../Shell/ui.js";
import { holdGesture } from "../Devices/holdGesture.js";
import { buttons, deviceOf, drawingOf, isPending, isUnconfirmed, nameOf, MIN_TILES, riskOf, tags, verbOf, whatItDoes, errorText } from "./buttonModel.js";
import { buttons as words, tags as tagWords } from "./words.js";

const LINES = { success: "check", sent: "share", unsure: "ask", failure: "alert", off: "stop", lost: "link-off", busy: "clock", armed: "press", holding: "press" };

export async function open({ until, say, alarm }) {
  const owner = session.can("modify_settings");
  const grid = h("ul.presses"), board = h("div", skeleton(4, "presses")), clones = h("div");
  const tiles = new Set();
  let drawn = null;
  until(() => tiles.forEach((tile) => tile.stop()));

  until(follow(buttons, (all) => {
    drawn = all;
    paint();
  }, (error) => drawn || fill(board, loadError(buttons, error, words.failedToLoad))));
  until(follow("devices", () => drawn && paint()));
  until(follow(tags, () => drawn && paint(), () => {}));
  until(followConnection(() => tiles.forEach((tile) => tile.paint())));

  function paint() {
    if (!drawn.length && !owner) return fill(board, h("div.panel", empty(words.none, words.noneDo)));
    if (!grid.isConnected) fill(board, grid);
    const free = owner ? Array.from({ length: Math.max(0, MIN_TILES - drawn.length) }, (_, n) => ({ button_id: `place ${n}` })) : [];
    keyed(grid, [...drawn, ...free], (one) => one.button_id, (one) => (one.title ? tile(one) : place()), (row, one) => row.show && row.show(one));
    for (const one of tiles) if (!grid.contains(one.node)) tiles.delete(one.stop());
    const alarmed = (tags.value || []).filter((tag) => tag.alarmed_at);
    if (clones.dataset.of !== String(alarmed.map((tag) => tag.tag_id))) {
      clones.dataset.of = alarmed.map((tag) => tag.tag_id);
      fill(clones, alarmed.map((tag) => h("p.tag-alarm", icon("alert", "i18"), h("a", { href: `/tags/${encodeURIComponent(tag.tag_id)}` }, tagWords.alarm.short(nameOf(tag))))));
    }
  }

  function place() {
    return h("li.press", h("a.press-button.press-free", { href: "/buttons/new" }, icon("plus", "i22"), h("strong", words.setUp)));
  }

  function tile(first) {
    let button = first, state = "normal", said = "", gesture = null, held = false;
    const drawing = h("span.press-drawing"), title = h("strong.press-title"), does = h("span.press-does"), line = h("span.press-line");
    const main = h("button.press-button", h("span.hold-sweep"), drawing, title, does, line);
    const edit = h("a.icon-button.press-edit", {}, icon(owner ? "sliders" : "info", "i20"));
    const node = h("li.press", main, edit);
    const self = { node, paint: show, stop, reset: () => state !== "busy" && become("normal") };
    tiles.add(self);
    // A button that opens a door has to be held or pressed twice, so that it is not pressed by accident.
    const careful = { rest: () => become("normal"), holding: () => become("holding"), armed: () => become("armed"), fire: () => {
      held = state === "holding";
      fire();
    } };
    main.addEventListener("click", (event) => {
      // The release after a completed hold is not a second press.
      if (held) event.stopImmediatePropagation();
      else if (!gesture) fire();
      held = false;
    });
    for (const begins of ["pointerdown", "keydown"]) main.addEventListener(begins, () => (held = false));
    main.addEventListener("blur", () => gesture && gesture.disarm());

    /** The reason why it cannot be pressed: "off", "lost", or null. */
    const off = () => (!button.enabled ? "off" : state !== "busy" && (document.body.classList.contains("lost") || (button.publish && (deviceOf(button) || {}).status === "offline")) ? "lost" : null);

    function become(next, what = "") {
      state = next;
      said = what;
      show();
    }

    function stop() {
      if (gesture) gesture.stop();
      gesture = null;
      return self;
    }

    function show() {
      const closed = off();
      if (closed && (state === "armed" || state === "holding")) state = "normal";
      const shown = closed || state, opens = riskOf(button) === "open";
      if (closed || !opens || state === "busy") stop();
      else if (!gesture) gesture = holdGesture(main, careful);
      setAttribute(node, "data-state", shown);
      setAttribute(node, "data-hold", shown === "holding" || shown === "armed" ? shown : null);
      main.classList.toggle("hold", opens && !closed);
      setAttribute(main, "aria-disabled", closed || state === "busy" ? "true" : null);
      setText(title, button.title);
      setText(does, whatItDoes(button));
      const large = said && !closed ? LINES[shown] || drawingOf(button) : drawingOf(button);
      if (drawing.dataset.of !== large) fill(drawing, icon((drawing.dataset.of = large), "i22"));
      const mine = (tags.value || []).filter((tag) => tag.button_id === button.button_id && !isPending(tag)).length;
      const verb = verbOf(button);
      const rest = opens ? words.careful(verb) : mine ? words.tags(mine) : "";
      const text = { off: words.off, lost: words.noLink, busy: words.busy, armed: words.again(verb), normal: rest, holding: rest }[shown] || said;
      const picture = shown === "normal" || shown === "holding" ? (rest ? (opens ? "press" : "nfc") : null) : LINES[shown];
      if (line.dataset.of !== `${picture} ${text}`) {
        line.dataset.of = `${picture} ${text}`;
        fill(line, picture && icon(picture, "i14"), h("span", text));
      }
      const name = owner ? words.changeName(button.title) : words.detailsName(button.title);
      setAttribute(edit, "href", `/buttons/${encodeURIComponent(button.button_id)}`);
      setAttribute(edit, "aria-label", name);
      setAttribute(edit, "title", name);
    }

    async function fire() {
      if (off() || state === "busy") return;
      tiles.forEach((one) => one !== self && one.reset());
      become("busy");
      say(words.asking(button.title));
      const came = await press(button);
      become(came.kind, came.words);
      (came.kind === "success" || came.kind === "sent" ? say : alarm)(`${button.title}: ${came.words}`);
    }

    node.show = (news) => {
      button = news;
      show();
    };
    return node;
  }

  return {
    title: words.title,
    node: [pageHead(words.title, { actions: [h("a.button.outlined", { href: "/tags" }, icon("nfc", "i18"), tagWords.title), owner && h("a.button.filled", { href: "/buttons/new" }, icon("plus", "i18"), words.add)] }), clones, board],
  };
}

// Presses a button and returns the result. The same press is never sent as two.

/** The person has to be present: nothing is sent again after this time. A command that the hub has is polled for as long as a garage door takes. */
const POLL_LIMIT = 10000, WAY = 65000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** `{ kind: success | sent | unsure | failure, words, error }` */
async function press(button) {
  const key = newKey(), began = Date.now();
  for (;;) {
    try {
      const { status } = await api("POST", `/buttons/${encodeURIComponent(button.button_id)}/press`, { key });
      return status === "confirmed" ? { kind: "success", words: words.done } : { kind: "sent", words: status === "accepted" ? words.asks : words.underWay };
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      const left = error.offline ? POLL_LIMIT : error.code === "in_flight" ? WAY : 0;
      if (Date.now() - began > left) return failure(button, error);
      await pause(700);
    }
  }
}

function failure(button, error) {
  const reason = String((error.details && error.details.reason) || "");
  if (error.offline || error.code === "in_flight") return { kind: "unsure", words: words.lost, error };
  if (error.code === "outcome_unknown") return isUnconfirmed(button) && reason === "no_report" ? { kind: "sent", words: words.sent } : { kind: "unsure", words: words.unsure, error };
  const [what, more] = reason.split(": ");
  const why = words.reasons[what] ? words.reason(words.reasons[what], more) : /jam/.test(`${reason} ${error.message}`) ? words.jammed : errorText(error);
  return { kind: "failure", words: words.failed(why), error };
}
