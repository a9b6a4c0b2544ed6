// The tap page: the action of a tag, the signed-in person, and a confirmation. Opening it does nothing, since links are opened easily; except for
// actions that the rules allow at the touch, if a touch opened the page.

import { api, during, facts, errorPanel, fill, h, HubError, newKey, pageHead, session, skeleton, text } from "../Shell/ui.js";
import { vibrate, isUnconfirmed, outcome } from "./buttonModel.js";
import { tags, tap as words } from "./words.js";

/** True until it is used, if no link led here, the page was not reloaded, and it is visible. */
let touched = !document.referrer && !document.hidden && performance.getEntriesByType("navigation")[0].type === "navigate";

export async function open({ until }) {
  const link = location.href, isLive = /\/action\b/.test(location.pathname);
  const top = pageHead(words.tap), body = h("div.tap", skeleton(2));
  let left = false, clock = 0;
  let away = () => {};
  until(() => {
    left = true;
    clearInterval(clock);
    document.removeEventListener("visibilitychange", hidden);
    removeEventListener("pagehide", hidden);
  });
  // A person who looks elsewhere is not asked later: a phone may wake hours after the countdown.
  document.addEventListener("visibilitychange", hidden);
  addEventListener("pagehide", hidden);
  look();

  function hidden(event) {
    if (event.type === "pagehide" || document.hidden) away();
  }

  async function look() {
    try {
      const seen = await api("POST", "/tags/look", { body: { url: link } });
      if (!left) await show(seen);
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      if (!left) fill(body, errorPanel(error, look, words.unread));
    }
  }

  async function show({ action, reason, message, at_once: atOnce }) {
    // After a long sign-in the person is asked, and the age of the page is no sign of a copy.
    const fresh = touched && performance.now() < 60000;
    touched = false;
    if (action) fill(top.querySelector("h1"), action.title);
    if (reason) {
      // Loading the page does not report an old link or a copy, so it is submitted. Links that may become valid are not: no one has confirmed.
      if (fresh && !/^(cool|too)/.test(reason)) handIn(false).catch(() => {});
      return ended(message, false);
    }
    // A message button is its own device. Confirming does not need its name.
    const sends = action.device_id === action.button_id;
    const what = await api("GET", `/${sends ? "buttons" : "devices"}/${encodeURIComponent(action.device_id)}`).catch((error) => {
      if (error instanceof HubError) return {};
      throw error;
    });
    if (left) return;
    const verb = text.verbs[action.action] || tags.change, said = h("div");
    const yes = h("button.button.filled.tap-yes", { onclick: () => {
      if (yes.getAttribute("aria-disabled") === "true") return;
      if (clock) return takeBack();
      fill(said);
      if (action.countdown) count();
      else send();
    } }, verb);
    away = () => clock && takeBack();
    fill(body, h("div.panel.padded", facts([[words.what, verb], [words.where, what.name], [words.you, session.me.name]]), isLive && h("p.small.third", words.maker), h("div.row-buttons", yes), said));
    if (fresh && atOnce) yes.click();

    function count() {
      let seconds = action.countdown;
      const due = Date.now() + seconds * 1000;
      const tick = () => {
        if (Date.now() > due + 2000) return takeBack();
        if (seconds < 1) {
          stop();
          return send();
        }
        fill(yes, words.takeBack(seconds));
        seconds -= 1;
      };
      clock = setInterval(tick, 1000);
      tick();
    }

    function stop() {
      clearInterval(clock);
      clock = 0;
      fill(yes, verb);
    }

    function takeBack() {
      stop();
      fill(said, h("p.third", { role: "status" }, words.tookBack));
    }

    /** One confirmation is one tap, even a failed one: if its answer is lost the result is polled while the person is present. */
    async function handIn(confirm) {
      for (const began = Date.now(), key = newKey(); ; await new Promise((resolve) => setTimeout(resolve, 700))) {
        try {
          return await api("POST", "/tags/tap", { body: { url: link, confirm }, key });
        } catch (error) {
          if (left || !(error.offline || error.code === "in_flight") || Date.now() - began > 10000) throw error;
        }
      }
    }

    function send() {
      return during(yes, text.home.asking, async () => {
        const answer = await handIn(true);
        if (left) return;
        if (answer.reason === "no_report" && isUnconfirmed(what)) return ended(words.sent(action.title), true);
        if (!answer.accepted || answer.message) return ended(answer.message, false);
        ended(answer.outcome === "confirmed" ? words.done(action.title) : answer.outcome === "accepted" ? words.asks : words.underWay(action.title), true);
      }, (error) => {
        if (!(error instanceof HubError)) throw error;
        if (!left) fill(said, errorPanel(error, look));
      });
    }
  }

  function ended(message, isDone) {
    clearInterval(clock);
    clock = 0;
    vibrate(isDone);
    fill(body, h("div.panel.padded",
      outcome(isDone, message),
      h("div.row-buttons", h("a.button.outlined", { href: "/" }, words.home))));
  }

  return { title: words.tap, className: "tap-page", node: [top, body] };
}
