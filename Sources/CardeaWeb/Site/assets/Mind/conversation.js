// The conversation with the house: questions, answers, their evidence and suggested actions.

import { api, button, confirm, DAY, during, errorPanel, field, fill, follow, followConnection, h, icon, known, newKey, onEvent, path, setText, refresh, segments, sending, session, shortMoment, small, text } from "../Shell/ui.js";
import { sendAction } from "../Devices/commands.js";
import "../Devices/doorRow.js";
import { doorsOf, may, tilesOf } from "../Devices/deviceKinds.js";
import { confirmScene, runScene } from "../Devices/scenes.js";
import { QUEUED_QUESTIONS } from "../Shell/storage.js";
import { interviewParts } from "./interview.js";
import { mind, page, deviceChips, eventsOf, evidenceList, evidence, confidenceWord, normalized } from "./shared.js";

const words = {
  title: "Ask the house", log: "Conversation", label: "Ask or tell the house", send: "Send", tell: "Describe devices", take: "Add them", thinking: "Thinking…", failed: "Not answered", waits: "No connection. Sent later.", late: (when) => `Asked ${when}, answered late`,
  empty: "Ask in your own words.", emptyDo: "Questions change nothing.",
  locked: (door) => `Is ${door} locked?`, who: (door) => `Who opened ${door} today?`, on: "Is anything still on?", turnOn: (light) => `Turn on ${light}`, mood: "How are you feeling?",
  more: (n) => `and ${n} more`, done: "Done.",
};

/** The most events that an answer shows; the others are counted. */
const MOST = 5;
/** For this long an event about a question is taken for one that was asked here. */
const LATE = 60000;
/** The most lines in the log. */
const LINES = 400;
/** Finds the place that waits for an event or a turn with that sentence, and ends its wait. */
const awaited = (what, sentence) => {
  const place = [...thread.log.children].findLast((one) => one[what] === normalized(sentence));
  if (place) place[what] = 0;
  return place;
};
/** Lets it wait for a while longer. */
const late = (what, place, as = place[what]) => {
  place[what] = as;
  setTimeout(() => (place[what] = 0), LATE);
  return place;
};
/** Identifies the conversation to the house. It lives as long as the tab, so returning to the page continues it. */
const conversation = newKey();
let thread = null;

/** The old addresses of the interview lead here. */
export async function open({ params, query, until, say }) {
  const mayTell = session.can("add_devices"), wanted = mayTell && (params[0] || query.get("interview"));
  // An unknown interview is a missing page.
  if (wanted) await api("GET", `${path("interview", wanted)}/status`).catch((error) => {
    if (!error.offline) throw error;
  });
  if (params.length) history.replaceState(null, "", wanted ? `/house?interview=${encodeURIComponent(wanted)}` : "/house");
  if (!thread) {
    thread = make();
    followConnection(thread.askLate);
  }
  thread.turnTo(thread.over = null);
  fill(thread.taken);
  fill(thread.wrong);
  until(follow("devices", (devices) => {
    thread.offer(devices);
    for (const door of doorsOf(devices)) for (const row of thread.log.querySelectorAll("door-row")) if (row.id === door.entity.entity_id) row.update(door);
  }, () => {}));
  const actions = mayTell && interviewParts({ thread, wanted, isAsked: params.length > 0, until, say });
  setTimeout(thread.last);
  return page(until, "", { title: words.title, actions }, thread.node);
}

/** Questions at the right, answers as prose; Up and Down recall earlier questions. */
function make() {
  const log = h("div.talk", { role: "log", "aria-label": words.log }), beside = h("aside.evidence", { "aria-label": mind.evidence }), examples = h("div");
  const asked = [], questions = [], last = () => log.lastChild.scrollIntoView({ block: "nearest" }), isBusy = () => send.getAttribute("aria-disabled");
  let at = 0, whom = h("i");
  const question = field(words.label, { name: "question", autocomplete: "off", enterkeyhint: "send", maxlength: "1000", onkeydown(event) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by || !asked.length) return;
    event.preventDefault();
    at = Math.min(asked.length, Math.max(0, at + by));
    question.input.value = asked[at] || "";
  } });
  const send = h("button.button.filled", { type: "submit" }, words.send);
  const form = sending(send, () => {
    const sentence = question.value.trim();
    question.input.value = "";
    if (sentence) ask(sentence, thread.to);
  }, question.node, send);
  form.className = "talk-form";
  log.append(examples);
  onEvent(onQuestion);
  try {
    questions.push(...JSON.parse(sessionStorage[QUEUED_QUESTIONS] || "[]"));
  } catch {
    // Nothing was stored.
  }
  const taken = h("div.taken"), wrong = h("div");
  return { node: h("div.with-aside", h("div.talk-page", h("h2.vh", words.log), log, taken, wrong, form), beside), log, taken, wrong, askLate, offer, turn, turnTo, heard, last, focus: () => question.input.focus(), turns: {} };

  /** Adds a line. Lines from elsewhere do not scroll away what the person is reading. */
  function add(node, isElsewhere) {
    const { bottom } = log.lastChild.getBoundingClientRect();
    log.append(node);
    examples.remove();
    if (log.children.length > LINES) log.firstChild.remove();
    if (!isElsewhere || (bottom > 0 && bottom < innerHeight)) last();
    return node;
  }

  /** The result of an ended interview moves into the log, and is not announced again. */
  function said(sentence, isElsewhere) {
    if (thread.over) {
      thread.over.ariaLive = "off";
      log.append(thread.over);
    }
    thread.over = null;
    add(h("p.said", sentence), isElsewhere);
  }

  function heard(nodes, isElsewhere) {
    return add(h("div.heard", nodes), isElsewhere);
  }

  /** Finds the place for the answer to a turn of the interview: at its question if that is in the log, otherwise at the end. */
  function turn(sentence) {
    const place = awaited("turn", sentence);
    if (place) return fill(place);
    said(sentence, true);
    return late("event", heard([], true), normalized(sentence));
  }

  /** Sets the recipient while an interview is active: the interview or the house. Only the person changes the choice. */
  function turnTo(tell) {
    thread.tell = thread.to = tell;
    whom.remove();
    if (tell) form.prepend((whom = segments(words.label, [["tell", words.tell], ["", mind.places[""]]], "tell", (to) => (thread.to = to && tell))));
  }

  /** Examples of questions about this house, until one was asked. */
  function offer(devices) {
    if (examples.firstChild || !devices.length) return;
    const [door] = doorsOf(devices), light = tilesOf(devices).find(({ entity }) => may(entity, "on")), the = ({ name }) => text.sentence.the(name);
    fill(examples, h("p", words.empty), h("p.third", words.emptyDo), choices([...(door ? [words.locked(the(door)), words.who(the(door))] : []), words.on, ...(light ? [words.turnOn(the(light))] : []), words.mood]));
  }

  /** Possible questions or meanings, as chips that ask them. */
  function choices(list) {
    return h("div.chips.wrap", list.map((one) => h("button.chip.choice", { onclick: () => ask(one) }, icon("ask", "i18"), one)));
  }

  function ask(sentence, tell) {
    if (isBusy()) return;
    at = asked.push(sentence);
    said(sentence);
    sendSentence(sentence, heard(), newKey(), tell);
  }

  /** Asks and shows the answer in one place, also for a second try, which is the same message. */
  function sendSentence(sentence, place, key, tell) {
    if (isBusy()) return;
    const slow = setTimeout(() => place.firstChild || fill(place, h("p.third", words.thinking)), 400);
    fill(place);
    place.event = normalized(sentence);
    during(send, words.send, async () => {
      const nodes = tell ? await tell(sentence, place, key) : await answer(sentence);
      if (nodes) fill(place, nodes);
      if (questions[0]) askLate();
    }, (error) => {
      if (!tell && error.offline) return wait({ query: sentence, at: Date.now(), by: session.me?.person_id, key: newKey(), tries: 3, place });
      // A message that arrived and was answered meanwhile did not fail.
      if (!tell || place.turn) fill(place, errorPanel(error, () => sendSentence(sentence, place, key, tell), words.failed));
    }).then(() => {
      clearTimeout(slow);
      late("event", place);
      last();
    });
  }

  /** Without a connection a question waits for a day, with its place in the log. */
  function wait(one) {
    fill((one.place ||= (said(one.query), heard())), h("p.third", words.waits));
    questions.push(one);
    // A page that is being left stores nothing for the requests that this ends.
    setTimeout(keepQuestions);
  }

  /** Without storage a reload forgets them. */
  function keepQuestions() {
    try {
      sessionStorage[QUEUED_QUESTIONS] = JSON.stringify(questions, ["query", "at", "by", "key", "tries"]);
    } catch {}
  }

  /** Asks the waiting questions; without a connection they wait on. A late answer says so, and suggests nothing. */
  async function askLate(isAway) {
    for (const one of questions.splice(0)) {
      const { query, at, by, key } = one;
      if (by !== session.me?.person_id || Date.now() - at > DAY) continue;
      const place = (one.place ||= (said(query), heard()));
      place.event = normalized(query);
      try {
        if (isAway) throw { offline: true };
        const { response } = await api("POST", "/consciousness/query", { key, body: { query, context: { asked_at: new Date(at).toISOString() } } });
        fill(place, h("p.answer", response), small(words.late(shortMoment(at))));
      } catch (error) {
        if (error.offline || --one.tries) wait(one);
        else fill(place, errorPanel(error, () => sendSentence(query, place), words.failed));
      }
      late("event", place);
    }
    keepQuestions();
  }

  /** Shows questions from another page or a terminal. Those asked here are reported as well, and are in the log already. */
  function onQuestion(type, { query, response, confidence }) {
    if (type !== "consciousness_query" || awaited("event", query)) return;
    said(query, true);
    // In an interview, it is also a turn.
    late("turn", heard([h("p.answer", response), small(confidenceWord(confidence))], true), normalized(query));
  }

  async function answer(query) {
    if (!known("devices")) await refresh("devices");
    const { response, confidence, context: { events, devices, more_events: others = 0 }, suggested_actions: acts, choices: meant, for_interview: isTold } = await api("POST", "/consciousness/query", { body: { query, context: { conversation } } });
    if (acts.some((one) => one.scene_id)) await refresh("scenes");
    const found = await eventsOf(events.slice(0, MOST)), left = Math.max(events.length - MOST, 0) + others;
    const show = (chosen) => fill(beside, found.length > 0 && h("section.panel.padded", h("h2", mind.evidence), small(query), evidenceList(found, chosen)));
    const open = (one) => {
      // On narrow pages the aside is hidden.
      if (!beside.offsetParent) return evidence([one]);
      show(one);
      beside.querySelector("[data-chosen]").focus();
    };
    show();
    const take = button("tonal", words.take, () => thread.begin(take, query));
    return [
      h("p.answer", response), acts.length ? null : small(confidenceWord(confidence)),
      h("div.chips.wrap", found.map((one) => h("button.chip", { onclick: () => open(one) }, one.content)),
        left > 0 && small(mind.more(left)), !found.length && !acts.length && deviceChips(devices)),
      h("div.acts", suggestions(acts), isTold && session.can("add_devices") && take), choices(meant),
    ];
  }
}

/** A door gets its own row, with hold to open; other actions get a button that asks first. */
function suggestions(acts) {
  const doors = doorsOf(known("devices") || []);
  return acts.map((one) => {
    const door = doors.find(({ entity }) => entity.entity_id === one.entity_id);
    if (!door) return suggestion(one);
    const row = h("door-row", { id: one.entity_id });
    row.update(door);
    return h("div.panel", row);
  });
}

const remember = (content) => api("POST", "/memory", { body: { type: "semantic", content }, key: newKey() }).then(() => ({ ok: true }), (error) => ({ words: text.error(error) }));

function suggestion(one) {
  const came = h("p.small.third", { role: "status" });
  const node = button("tonal", one.words, async () => {
    const scene = (known("scenes") || []).find(({ scene_id: id }) => id === one.scene_id);
    if (await (scene ? confirmScene(scene) : confirm({ title: `${one.words}?`, verb: one.words, danger: false }))) during(node, text.home.asking, async () => {
      const done = await (one.memory ? remember(one.memory) : scene ? runScene(scene) : sendAction(one, one, one.action, one.value ?? undefined));
      setText(came, done.ok ? words.done : [done.words, ...(done.lines || [])].join(" "));
    });
  });
  return h("div", node, came);
}
