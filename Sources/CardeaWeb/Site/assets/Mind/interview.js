// The interview about new devices: descriptions, the candidates the house understood, and their confirmation.

import { api, attempt, liveSection, button, buttons, confirm, count, DAY, empty, fill, h, icon, listOf, newKey, path, setText, read, refresh, row, rows, section, sheet, shortMoment, small, source, badge, text, when } from "../Shell/ui.js";
import { deviceChips, normalized } from "./shared.js";

const words = {
  start: "New devices", earlier: "Earlier interviews",
  of: (when) => `Interview, ${when}`, statuses: { active: "Active", paused: "Paused", completed: "Done", cancelled: "Ended" },
  progress: ({ total_devices_mentioned: all, devices_confirmed: done }) => `${done} of ${count(all, "thing")} connected`,
  found: "Devices understood", nothing: "Nothing yet.", nothingDo: "Devices you mention appear here.",
  matched: (names) => `found: ${names}`, missing: (fields) => `missing: ${fields}`, fields: { kind: "kind", count: "number", room: "room", connection: "connection" },
  candidates: { confirmed: "Connected", rejected: "Left out", needs_info: "Not clear yet" }, right: "Confirm", leave: "Leave out", all: "Confirm all",
  notes: "Not connected", kept: "but remembered", pause: "Pause", resume: "Resume", end: "End", endTitle: "End this interview?", endBody: "What you confirmed stays.", ended: "Ended.",
};

/**
 * The interview in the thread: descriptions of devices, the candidates the house understood, and their confirmation. An open interview continues, wherever
 * it began; `wanted` is shown even if it has ended. Returns the buttons that start one and show earlier ones.
 */
export function interviewParts({ thread, wanted, isAsked, until, say }) {
  const { heard, taken, wrong } = thread, all = source("/interview", /^interview/), part = h("div");
  const isOpen = ({ status }) => /active|paused/.test(status), at = (way) => `${path("interview", id)}/${way}`;
  let id, status, others = [], stop = () => {}, again, isLeft, to;
  until(() => stop());
  thread.begin = begin;

  const start = button("outlined", icon("plus", "i18"), () => begin(start), words.start);
  const settle = (kind, word, body, name) => {
    const node = button(kind, word, () => attempt(node, wrong, (key) => post("confirm", key, body)), name && h("span.vh", ` ${name}`));
    return node;
  };
  const pause = button("outlined", words.pause, async () => {
    if (isLeft) goOn({ status: "active" });
    else await attempt(pause, wrong, (key) => post(to, key));
    setText(pause, words[to]);
  });
  const end = button("plain.danger", words.end, async () => (await confirm({ title: words.endTitle, body: words.endBody, verb: words.end })) && attempt(end, wrong, async (key) => {
    await api("DELETE", path("interview", id), { key });
    say(words.ended);
    letGo();
    stand();
    thread.focus();
    await refresh(all);
  }));
  const deeds = buttons(pause, end);

  const earlier = button("outlined", words.earlier, () => sheet(words.earlier, (close) => [
    h("div", { onclick: ({ target }) => target.closest("a") && close("") }, rows(others.map((one) => row(words.of(shortMoment(read(one.session_started_at))), `/house?interview=${encodeURIComponent(one.interview_id)}`, words.progress(one.progress), badge(words.statuses[one.status]))))),
    buttons(button("outlined", text.close, () => close(""))),
  ]));
  earlier.hidden = true;
  if (!isAsked || wanted) fill(taken, part);
  stand(wanted);
  // If the list fails on a page that did not ask for an interview, the banner about the connection is enough.
  liveSection(until, all, ({ interviews }) => {
    const open = interviews.find(isOpen);
    stand(wanted || open?.interview_id || id);
    others = interviews.filter((one) => one.interview_id !== id);
    start.hidden = Boolean(open);
    earlier.hidden = !others.length;
    if (!part.isConnected) fill(taken, part);
  }, part.parentNode ? h("div") : taken);
  return [earlier, start];

  /** Removes the interview from the address. */
  function letGo() {
    wanted = null;
    if (location.pathname === "/house") history.replaceState(null, "", "/house");
  }

  /** Shows an interview. */
  function stand(next) {
    if (next === id) return;
    stop();
    clearTimeout(again);
    id = next;
    thread.turnTo(thread.over = null);
    fill(part);
    if (!id) return;
    deeds.hidden = true;
    status = source(at("status"), /^interview/);
    fill(part, liveSection((made) => (stop = made), status, paint), deeds);
  }

  /** Starts an interview. The sentence before it is sent to it with a key of its own. */
  function begin(one, sentence, own = newKey()) {
    let place;
    return attempt(one, wrong, async (key) => {
      const reply = await api("POST", "/interview/start", { body: {}, key });
      letGo();
      stand(reply.interview_id);
      // Its turns from now on are announced.
      thread.turns[id] ||= 0;
      goOn(reply);
      await catchUp();
      if (sentence) {
        await tell(sentence, (place ||= heard()), own);
        one.remove();
      }
      thread.last();
      thread.focus();
      await refresh(all);
    });
  }

  /** While it is active, the person can write to it. */
  function goOn({ status: is }) {
    const goesOn = is === "active";
    isLeft = false;
    to = goesOn ? "pause" : "resume";
    if (goesOn !== Boolean(thread.tell)) thread.turnTo(goesOn && tell);
  }

  async function tell(message, place, key) {
    place.turn = normalized(message);
    await post("message", key, { message });
  }

  async function post(to, key, body) {
    const { created_devices: made = [], ...reply } = await api("POST", at(to), { body, key });
    goOn(reply);
    await catchUp();
    for (const one of made) if (one.next_steps.length) heard([h("strong", one.name), one.next_steps.map((step) => h("p", step))]);
    thread.last();
    refresh(status, all);
  }

  /** Adds the turns that are not in the log yet, counted by their number. */
  async function catchUp() {
    const mine = id, { log, turns: stood } = thread;
    clearTimeout(again);
    try {
      const { turns, total_turns: count } = await api("GET", at("conversation")), had = stood[mine];
      if (count <= had) return;
      // Old turns are shown and not announced.
      if (had === undefined) log.ariaLive = "off";
      setTimeout(() => (log.ariaLive = null), 1000);
      stood[mine] = count;
      let place;
      for (const { speaker, text: what } of turns.slice((had || 0) - count)) {
        if (speaker === "person") place = thread.turn(what);
        else (place ||= heard([], true)).append(h("p.answer", what));
      }
    } catch (error) {
      if (error.offline || error.status >= 500) again = setTimeout(catchUp, 5000);
      else if (!error.status) throw error;
    }
  }

  function paint(now, node) {
    const { progress, candidates, notes } = now, goesOn = isOpen(now), ready = candidates.filter((one) => one.status === "pending"), left = notes.filter((one) => !one.superseded_at);
    // An interview that was left for a day is resumed by a button.
    isLeft = now.status === "active" && !thread.tell && Date.now() - read(now.conversation_summary.last_activity) > DAY;
    if (isLeft) to = "resume";
    else goOn(now);
    deeds.hidden = !goesOn;
    setText(pause, words[to]);
    catchUp().then(() => (thread.over = !goesOn && part.contains(node) && node));
    fill(node, section(words.found, { aside: small(words.progress(progress)) }, candidates.length ? rows(candidates.map(candidate)) : h("div.panel", empty(words.nothing, words.nothingDo)), goesOn && ready.length > 1 && buttons(settle("tonal", words.all, { candidate_ids: ready.map((one) => one.id) }))),
      left.length > 0 && section(words.notes, { aside: small(words.kept) }, rows(left.map((one) => row(one.text, null, [one.room && `${one.room}, `, when(one.written_at)])))));

    function candidate(one) {
      const line = row(one.description, null, [one.room, one.matched.length > 0 && words.matched(listOf(one.matched)), one.missing.length > 0 && words.missing(listOf(one.missing.map((each) => words.fields[each])))].filter(Boolean).join(" · "),
        one.status !== "pending" && badge(words.candidates[one.status], one.status === "needs_info" ? "brass" : "quiet"));
      line.firstChild.append(h("span.chips.wrap", deviceChips(one.created_device_ids), goesOn && one.status === "pending" && settle("tonal", words.right, { candidate_ids: [one.id] }, one.description),
        goesOn && /pend|need/.test(one.status) && settle("outlined", words.leave, { reject: [one.id] }, one.description)));
      return line;
    }
  }
}
