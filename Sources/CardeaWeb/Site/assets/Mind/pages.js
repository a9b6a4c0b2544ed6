// The pages of the mind: the conversation, how the house feels, what it remembers, its twins, and what would be. They are one module,
// because what they share is most of them, and together they are sent in two thirds of the bytes (docs/decisions/0044).

import { api, attempt, liveSection, button, buttons, capitalize, choice, clock, confirm, count, DAY, during, empty, facts, errorPanel, field, fill, follow, followConnection, form, h, icon, keyed, known, listOf, newKey, number, onEvent, pageHead, path, setText, read, refresh, row, rows, section, segments, sending, session, sheet, shortMoment, since, small, source, setStyles, badge, text, when } from "../Shell/ui.js";
import { sendAction } from "../Devices/commands.js";
import "../Devices/doorRow.js";
import { doorsOf, kindOf, may, nameOf, tilesOf } from "../Devices/deviceKinds.js";
import { chart, point } from "../Devices/plot.js";
import { confirmScene, runScene } from "../Devices/scenes.js";
import { timeField } from "../Guests/timeField.js";
import { QUEUED_QUESTIONS } from "../Shell/storage.js";

export const screens = {};

// What is said on them.

const plain = (key) => String(key).replace(/^set_|_/g, (all) => (all === "_" ? " " : ""));
/** A value of a device as people say it: its name tells what it counts. */
const valued = (key, value) => (/temperature/.test(key) ? number.degrees(value) : /brightness|position|percentage|volume|tilt|humidity/.test(key) ? number.percent(value) : value);
const VERBS = { lock: "locked", unlock: "unlocked", close: "closed", play: "playing", pause: "paused" };

const mind = {
  title: "Pages of the house",
  places: { "": "Ask", mood: "Mood", memory: "Memory", twins: "Twins", "what-if": "What if" },
  sure: ["Sure", "Likely", "Not sure", "I don't know"],
  evidence: "Evidence",

  talk: {
    title: "Ask the house", log: "Conversation", label: "Ask or tell the house", send: "Send", tell: "Describe devices", thinking: "Thinking…", failed: "Not answered", waits: "No connection. Sent later.", late: (when) => `Asked ${when}, answered late`,
    empty: "Ask in your own words.", emptyDo: "Questions change nothing.",
    locked: (door) => `Is ${door} locked?`, who: (door) => `Who opened ${door} today?`, on: "Is anything still on?", turnOn: (light) => `Turn on ${light}`, mood: "How are you feeling?",
    more: (n) => `and ${n} more`, done: "Done.",
  },

  mood: {
    feelings: { happiness: "Happiness", worry: "Worry", boredom: "Boredom", excitement: "Excitement" },
    none: "Nothing in particular.", history: "Over time", spans: { "8h": "8 h", "24h": "24 h", "7d": "7 days" },
  },

  memory: {
    search: "Search", kind: "Kind", all: "Everything",
    kinds: { episodic: "Event", semantic: "Fact", procedural: "Habit" },
    sources: { sensor: "from a sensor", user_interaction: "from a person", internal: "from the house", learned: "learned" }, by: (name) => `told by ${name}`, found: (n) => `${n} found`,
    none: "No memories yet.", noneDo: "Events, habits and what you tell the house appear here.", noneFound: "No memory matches.", showAll: "Show everything",
    from: "From", sure: "How sure", since: "Since", said: "You said",
    add: "Tell the house", keep: "Remember", added: "Remembered.",
    content: "In a sentence", missing: "Write a sentence.",
    correct: "Correct", save: "Save", corrected: "Corrected.", shut: "Shut by", low: "Usually from", high: "Usually to", range: "The lower number first.",
    relearn: "Learn again", correction: ({ forgotten, shut_by: by, low, high }, unit) => (by ? `Shut by ${by}` : forgotten ? "Not learned" : low === null ? "Other hours" : `From ${text.history.value({ mean: low }, unit)} to ${text.history.value({ mean: high }, unit)}`),
    forget: "Forget", forgetTitle: (title) => `Forget “${title}”?`, forgetBody: "This cannot be undone.", forgetHabit: "It is not learned again.", forgotten: "Forgotten.",
  },

  twins: {
    none: "No twins yet.", noneDo: "Every connected device has one.", out: "Not as asked", in: "As asked", planned: "Only planned",
    statuses: { synchronized: "As asked", out_of_sync: "Not as asked", syncing: "On its way", no_real_device: "Only planned", error: "Faulty" },
    heard: "Last report ", never: "No report yet.", reported: "Reported", desired: "Requested", pending: "In progress", nothing: "Nothing.",
    differs: (keys) => keys.length > 0 && `It differs in ${listOf(keys.map((key) => plain(key.split("/").pop())))}.`,
    report: ({ last_reported: last, state, attributes }) => last ? `Not known, last reported ${plain(last.state)}` : capitalize([plain(state), ...Object.entries(attributes).filter(([, value]) => /^[ns][ut]/.test(typeof value)).map(([key, value]) => `${plain(key)} ${valued(key, value)}`)].join(", ")),
    wish: ({ action, value }) => capitalize(`${VERBS[action] || plain(action)} ${value === null ? "" : valued(action, value)}`),
    since: (when, by, until) => `since ${when}${by ? `, by ${by}` : ""}${until ? `, until ${until}` : ""}`,
    warmth: "Warmth of the room", lines: ["Inside", "Model", "Forecast", "Outside"],
    keeps: "Keeps warm", heats: "Heating adds", readings: "Learned from",
    between: ({ value, low, high }, unit) => `${number.step(value, 1)} (${number.step(low, 1)}–${number.step(high, 1)})\u00a0${unit}`,
  },

  whatIf: {
    lead: "A simulation. Nothing is changed.",
    what: "What changes", kinds: { room: "A room", device: "A device", watch: "A notice", access: "Who gets in" },
    room: "Room", temperature: (unit) => `Temperature, ${unit}`, warmWrong: (low, high) => `A temperature from ${low} to ${high}.`, wait: "Open for", waits: { "10m": "10 min", "1h": "1 h", "8h": "8 h" }, device: "Device", power: "Is", powers: { on: "on", off: "off" },
    who: "Whose pass", rules: { revoked: "taken back", asks_each_time: "asked each time", local_only: "only in the Wi\u2011Fi", schedule: "only at hours" },
    from: "Only from", to: "Until", duration: "For how long",
    go: "Calculate", choose: "Choose one.",
    metrics: { energy: "Energy", cost: "Cost", comfort: "Comfort", temperature: "Temperature", access: "Doors" }, usually: "Usually", would: "Would be",
    advice: "Ways to save",
    replay: "Who would have got in", was: (when, { who, was, would_be: would }) => `${when}${who ? `, ${who}` : ""}: ${plain(was)}, would be ${plain(would)}`,
  },

  interview: {
    start: "New devices", take: "Add them", earlier: "Earlier interviews",
    of: (when) => `Interview, ${when}`, statuses: { active: "Going on", paused: "Paused", completed: "Done", cancelled: "Ended" },
    progress: ({ total_devices_mentioned: all, devices_confirmed: done }) => `${done} of ${count(all, "thing")} connected`,
    found: "Devices understood", nothing: "Nothing yet.", nothingDo: "Devices you mention appear here.",
    matched: (names) => `found: ${names}`, missing: (fields) => `still to say: ${fields}`, fields: { kind: "what it is", count: "how many", room: "which room", connection: "how it is connected" },
    candidates: { confirmed: "Connected", rejected: "Left out", needs_info: "Not clear yet" }, right: "Right", leave: "Leave out", all: "All is right",
    notes: "Not connected", kept: "but remembered", pause: "Pause", resume: "Go on", end: "End", endTitle: "End this interview?", endBody: "What you confirmed stays.", ended: "Ended.",
  },
};

// What the pages of the mind share: their frame, the board that follows one thing, rows, what an answer rests on, and lines over time.

/** Its styles come with its pages, not with Home; a page waits for them. */
const dressed = new Promise((done) => document.head.append(h("link", { rel: "stylesheet", href: "/assets/Mind/mind.css", onload: done, onerror: done })));

/** A page under `/house`: its head, the way to the others, and what it is. The devices are known on each of them. */
async function page(until, place, { title = mind.places[place], back, sub, actions }, ...children) {
  const nav = h("nav.chips", { "aria-label": mind.title }, Object.entries(mind.places).map(([name, word]) => h("a.chip", { href: `/house${name && `/${name}`}`, "aria-current": name === place && "page" }, word)));
  until(follow("devices", () => {}, () => {}));
  await dressed;
  setTimeout(() => (nav.scrollLeft = nav.querySelector("[aria-current]").offsetLeft - 32));
  return { title, className: "mind", node: [pageHead(title, { back, sub, actions }), nav, children] };
}

const deviceOf = (id) => (known("devices") || []).find((one) => one.device_id === id);
/** Devices by their ids, as chips that open them; what nobody can see has none. */
const deviceChips = (ids) => ids.map(deviceOf).filter(Boolean).map((one) => h("a.chip", { href: path("devices", one.device_id), onclick: ({ target }) => target.closest("dialog")?.close() }, one.name));

/** What happened, by their ids; what is not remembered any more is left out. */
const happenings = async (ids) => (await Promise.all(ids.map((id) => api("GET", path("memory", id)).catch(() => null)))).filter(Boolean);

/** What something rests on, as a list and on its own. */
const told = (list, chosen) => h("ul.told", list.map((one) => h("li", { tabindex: "-1", "data-chosen": one === chosen }, h("strong", one.title), one.content !== one.title && h("p", one.content), small(when(one.created_at)), h("span.chips.wrap", deviceChips(one.related_devices)))));
const evidence = (list) => sheet(mind.evidence, (close) => [told(list), buttons(button("outlined", text.close, () => close("")))]);

/** "Sure", "Likely", or that nobody knows. */
const sureness = (share) => mind.sure[share >= .9 ? 0 : share >= .5 ? 1 : share > 0 ? 2 : 3];

// The conversation with the house: what it answers, what that rests on, and what could be done about it. In the same thread it is told what there is, and
// takes that in.
{
  const words = mind.talk;
  /** Happenings that are brought with an answer; more are only counted. */
  const MOST = 5;
  /** For so long the line may tell of a question after it was answered here; later, the same was asked elsewhere. */
  const LATE = 60000;
  /** So much of what was said stands here. */
  const LINES = 400;
  /** What makes two sentences the same: the house drops what cannot be seen. */
  const core = (sentence) => `.${sentence.replace(/[\p{C}\s]/gu, "")}`;
  /** The place that awaits an event or a turn with that sentence, which then awaits it no more. */
  const awaited = (what, sentence) => {
    const place = [...thread.log.children].findLast((one) => one[what] === core(sentence));
    if (place) place[what] = 0;
    return place;
  };
  /** It awaits that a while longer. */
  const late = (what, place, as = place[what]) => {
    place[what] = as;
    setTimeout(() => (place[what] = 0), LATE);
    return place;
  };
  /** What was said while this page of the browser stands: left and come back to, it goes on. */
  const conversation = newKey();
  let thread = null;

  screens.house = { open };

  /** The interview had pages of its own once; their addresses lead here. */
  async function open({ params, query, until, say }) {
    const mayTell = session.can("add_devices"), wanted = mayTell && (params[0] || query.get("interview"));
    // One that is nobody's is no page.
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
    const actions = mayTell && takeIn({ wanted, isAsked: params.length > 0, until, say });
    setTimeout(thread.last);
    return page(until, "", { title: words.title, actions }, thread.node);
  }

  /** Questions at the right, answers as prose; Up and Down bring back what was said before. */
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
    onEvent(hear);
    try {
      questions.push(...JSON.parse(sessionStorage[QUEUED_QUESTIONS] || "[]"));
    } catch {
      // Nothing was kept.
    }
    const taken = h("div.taken"), wrong = h("div");
    return { node: h("div.with-aside", h("div.talk-page", h("h2.vh", words.log), log, taken, wrong, form), beside), log, taken, wrong, askLate, offer, turn, turnTo, heard, last, focus: () => question.input.focus(), turns: {} };

    /** What was said elsewhere takes nobody away from what they read. */
    function add(node, isElsewhere) {
      const { bottom } = log.lastChild.getBoundingClientRect();
      log.append(node);
      examples.remove();
      if (log.children.length > LINES) log.firstChild.remove();
      if (!isElsewhere || (bottom > 0 && bottom < innerHeight)) last();
      return node;
    }

    /** What is over stays where it was told of, and is not read out once more. */
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

    /** Where the answer to what was said in an interview goes: where it was said or overheard here, else under it. */
    function turn(sentence) {
      const place = awaited("turn", sentence);
      if (place) return fill(place);
      said(sentence, true);
      return late("event", heard([], true), core(sentence));
    }

    /** To whom one speaks, while an interview goes on: it stands there, and only who writes changes it. */
    function turnTo(tell) {
      thread.tell = thread.to = tell;
      whom.remove();
      if (tell) form.prepend((whom = segments(words.label, [["tell", words.tell], ["", mind.places[""]]], "tell", (to) => (thread.to = to && tell))));
    }

    /** Questions about this house, while none was asked. */
    function offer(devices) {
      if (examples.firstChild || !devices.length) return;
      const [door] = doorsOf(devices), light = tilesOf(devices).find(({ entity }) => may(entity, "on")), the = ({ name }) => text.sentence.the(name);
      fill(examples, h("p", words.empty), h("p.third", words.emptyDo), choices([...(door ? [words.locked(the(door)), words.who(the(door))] : []), words.on, ...(light ? [words.turnOn(the(light))] : []), words.mood]));
    }

    /** What could be asked or meant, as chips that ask it. */
    function choices(list) {
      return h("div.chips.wrap", list.map((one) => h("button.chip.choice", { onclick: () => ask(one) }, icon("ask", "i18"), one)));
    }

    function ask(sentence, tell) {
      if (isBusy()) return;
      at = asked.push(sentence);
      said(sentence);
      bring(sentence, heard(), newKey(), tell);
    }

    /** What comes of it stands in one place, also of a second try, which is the same message still. */
    function bring(sentence, place, key, tell) {
      if (isBusy()) return;
      const slow = setTimeout(() => place.firstChild || fill(place, h("p.third", words.thinking)), 400);
      fill(place);
      place.event = core(sentence);
      during(send, words.send, async () => {
        const nodes = tell ? await tell(sentence, place, key) : await answer(sentence);
        if (nodes) fill(place, nodes);
        if (questions[0]) askLate();
      }, (error) => {
        if (!tell && error.offline) return wait({ query: sentence, at: Date.now(), by: session.me?.person_id, key: newKey(), tries: 3, place });
        // What got there, and was answered meanwhile, did not fail.
        if (!tell || place.turn) fill(place, errorPanel(error, () => bring(sentence, place, key, tell), words.failed));
      }).then(() => {
        clearTimeout(slow);
        late("event", place);
        last();
      });
    }

    /** Without the house a question is kept for a day, with its place where it stands on this page. */
    function wait(one) {
      fill((one.place ||= (said(one.query), heard())), h("p.third", words.waits));
      questions.push(one);
      // A page that is left keeps nothing of what it gave up by that.
      setTimeout(keepQuestions);
    }

    /** Without storage a page that is loaded anew forgets them. */
    function keepQuestions() {
      try {
        sessionStorage[QUEUED_QUESTIONS] = JSON.stringify(questions, ["query", "at", "by", "key", "tries"]);
      } catch {}
    }

    /** Asks what waited, once; without the house it waits on. Its answer says that it is late, and nothing is offered with it. */
    async function askLate(isAway) {
      for (const one of questions.splice(0)) {
        const { query, at, by, key } = one;
        if (by !== session.me?.person_id || Date.now() - at > DAY) continue;
        const place = (one.place ||= (said(query), heard()));
        place.event = core(query);
        try {
          if (isAway) throw { offline: true };
          const { response } = await api("POST", "/consciousness/query", { key, body: { query, context: { asked_at: new Date(at).toISOString() } } });
          fill(place, h("p.answer", response), small(words.late(shortMoment(at))));
        } catch (error) {
          if (error.offline || --one.tries) wait(one);
          else fill(place, errorPanel(error, () => bring(query, place), words.failed));
        }
        late("event", place);
      }
      keepQuestions();
    }

    /** What was asked on another page or at a terminal stands here too. What was asked here is told of as well, and stands here already. */
    function hear(type, { query, response, confidence }) {
      if (type !== "consciousness_query" || awaited("event", query)) return;
      said(query, true);
      // Asked in an interview, it is a turn of that as well.
      late("turn", heard([h("p.answer", response), small(sureness(confidence))], true), core(query));
    }

    async function answer(query) {
      if (!known("devices")) await refresh("devices");
      const { response, confidence, context: { events, devices, more_events: others = 0 }, suggested_actions: acts, choices: meant, for_interview: isTold } = await api("POST", "/consciousness/query", { body: { query, context: { conversation } } });
      if (acts.some((one) => one.scene_id)) await refresh("scenes");
      const found = await happenings(events.slice(0, MOST)), left = Math.max(events.length - MOST, 0) + others;
      const show = (chosen) => fill(beside, found.length > 0 && h("section.panel.padded", h("h2", mind.evidence), small(query), told(found, chosen)));
      const open = (one) => {
        // Where there is no room beside, it is not shown there.
        if (!beside.offsetParent) return evidence([one]);
        show(one);
        beside.querySelector("[data-chosen]").focus();
      };
      show();
      const take = button("tonal", mind.interview.take, () => thread.begin(take, query));
      return [
        h("p.answer", response), acts.length ? null : small(sureness(confidence)),
        h("div.chips.wrap", found.map((one) => h("button.chip", { onclick: () => open(one) }, one.content)),
          left > 0 && small(words.more(left)), !found.length && !acts.length && deviceChips(devices)),
        h("div.acts", suggestions(acts), isTold && session.can("add_devices") && take), choices(meant),
      ];
    }
  }

  /**
   * The interview in the thread: what is told of devices, what the house understood of it, and what is to come of that. One that goes on is gone on with, wherever it was
   * begun; `wanted` is shown though it may be over. Returns the buttons that begin one, and show earlier ones.
   */
  function takeIn({ wanted, isAsked, until, say }) {
    const words = mind.interview, { heard, taken, wrong } = thread, all = source("/interview", /^interview/), part = h("div");
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
    // Unasked for, what cannot be listed is no matter: the banner says that the house does not answer.
    liveSection(until, all, ({ interviews }) => {
      const open = interviews.find(isOpen);
      stand(wanted || open?.interview_id || id);
      others = interviews.filter((one) => one.interview_id !== id);
      start.hidden = Boolean(open);
      earlier.hidden = !others.length;
      if (!part.isConnected) fill(taken, part);
    }, part.parentNode ? h("div") : taken);
    return [earlier, start];

    /** The address names no interview any more. */
    function letGo() {
      wanted = null;
      if (location.pathname === "/house") history.replaceState(null, "", "/house");
    }

    /** The one that stands here. */
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

    /** What was said before it began is told to it, with a key of its own, whatever else is asked meanwhile. */
    function begin(one, sentence, own = newKey()) {
      let place;
      return attempt(one, wrong, async (key) => {
        const reply = await api("POST", "/interview/start", { body: {}, key });
        letGo();
        stand(reply.interview_id);
        // What it says now is read out.
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

    /** While it goes on, it can be told. */
    function goOn({ status: is }) {
      const goesOn = is === "active";
      isLeft = false;
      to = goesOn ? "pause" : "resume";
      if (goesOn !== Boolean(thread.tell)) thread.turnTo(goesOn && tell);
    }

    async function tell(message, place, key) {
      place.turn = core(message);
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

    /** What of it does not stand here yet, by its number: said here, elsewhere, or before this page was opened. */
    async function catchUp() {
      const mine = id, { log, turns: stood } = thread;
      clearTimeout(again);
      try {
        const { turns, total_turns: count } = await api("GET", at("conversation")), had = stood[mine];
        if (count <= had) return;
        // What was said long ago is read, and not read out.
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
      // What was left for a day is gone on with by hand.
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

  /** A door is done by its own row, with its own care; everything else by a button that asks first. */
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
}

// How the house feels, why, and how it felt.
{
  const words = mind.mood;
  const FEELINGS = Object.entries(words.feelings);

  screens.mood = { open };

  async function open({ until }) {
    const bars = FEELINGS.map(bar), why = h("p.lead-sentence"), past = h("div"), place = h("div");
    const all = [why, h("div.panel", bars.map(({ node }) => node)), section(words.history, {}, h("div.panel.padded.plot-panel", segments(words.history, Object.entries(words.spans), "8h", look), past))];
    let stop = () => {};
    until(() => stop());
    look("8h");

    function look(span) {
      stop();
      liveSection((made) => (stop = made), source(`/consciousness/emotions?time_range=${span}`, /^status/), ({ current, history }) => {
        setText(why, current.reasoning);
        bars.forEach(({ show }) => show(current));
        fill(past, chart(words.history, "%", FEELINGS.map(([, name], at) => ({ name, points: history.map((one) => point(one.timestamp, one.emotion_vector[at] * 100)) }))));
        if (!why.isConnected) fill(place, all);
      }, place);
    }

    return page(until, "mood", {}, place);
  }

  /** One feeling; opened it says what moves it. */
  function bar([key, name], at) {
    const value = h("span"), track = h("span.mood-track", { "aria-hidden": "true" }), causes = h("div");
    const node = h("details.mood", h("summary", h("span", name), track, value), causes);
    return { node, show(mood) {
      setText(value, number.percent(mood[key] * 100));
      setStyles(track, { "--v": `${mood[key] * 100}%` });
      const mine = mood.causes.filter((one) => Math.abs(one.shares[at]) >= .005), signature = JSON.stringify(mine);
      if (causes.dataset.of === signature) return;
      causes.dataset.of = signature;
      fill(causes, h("ul.rows", mine.length ? mine.map((one) => h("li", h("span", `${one.shares[at] > 0 ? "+" : "−"}${number.percent(Math.abs(one.shares[at] * 100))}`), h("span.row-words", h("span", one.words), small(when(one.since, since)),
        h("span.chips.wrap", deviceChips(one.devices), one.events.length > 0 && h("button.chip", { onclick: async () => evidence(await happenings(one.events.slice(0, 20))) }, mind.evidence))))) : h("li.third", words.none)));
    } };
  }
}

// What the house remembers: found by words, shown, corrected, forgotten, and told anew.
{
  const words = mind.memory;

  screens.memory = { open };

  async function open({ until, query, say }) {
    let stop = () => {}, memories, look = { type: query.get("type") || "", q: query.get("q") || "" }, typing, asked = null;
    const panel = rows(), place = h("div");
    const search = field(words.search, { type: "search", value: look.q, autocomplete: "off", maxlength: 200, oninput() {
      clearTimeout(typing);
      typing = setTimeout(() => find({ q: search.value.trim() }), 300);
    } });
    const chips = h("div.chips", { role: "group", "aria-label": words.kind }, ["", ...Object.keys(words.kinds)].map((type) => h("button.chip", { "data-type": type, onclick: () => find({ type }) }, words.kinds[type] || words.all)));
    until(() => {
      stop();
      clearTimeout(typing);
    });
    find({});

    function find(change) {
      Object.assign(look, change);
      const { type, q } = look, asks = (all) => String(new URLSearchParams(Object.entries(all).filter(([, value]) => value)));
      for (const chip of chips.children) chip.setAttribute("aria-pressed", chip.dataset.type === type);
      history.replaceState(null, "", `?${asks({ type, q })}`);
      stop();
      // The latest of it, as many as are shown, are kept with the board, and read where the house cannot be reached.
      memories = type || q ? source(`/memory?${asks({ memory_type: type, q, time_range: "9999d", limit: 200 })}`, /^memory/) : "memories";
      liveSection((made) => (stop = made), memories, paint, place);
    }

    function paint({ memories, total }) {
      const what = look.type + look.q;
      if (asked !== null && asked !== what) say(words.found(total));
      asked = what;
      if (!memories.length) return fill(place, h("div.panel", what ? empty(words.noneFound, null, button("outlined", words.showAll, () => find({ type: "", q: (search.input.value = "") }))) : empty(words.none, words.noneDo)));
      if (!panel.isConnected) fill(place, panel);
      keyed(panel.firstChild, memories, JSON.stringify, (m) => row(m.content.length > 160 ? m.title : m.content, () => show(m), [`${words.kinds[m.memory_type]} · ${from(m)} · `, when(m.created_at)]));
    }

    const changed = (close, done) => {
      close("");
      say(done);
      return refresh(memories, "memories");
    };

    /** One memory, and what may be done with it. */
    function show(m) {
      // `unit` is what the sensor measures in whose level it is; undefined of anything else.
      const body = h("div"), wrong = h("div"), isHabit = m.memory_id.startsWith("habit_"), unit = (known("devices") || []).flatMap((one) => one.entities).find((one) => m.memory_id === `habit_level_${one.entity_id}`)?.unit_of_measurement;
      const send = (one, close, method, change, done) => attempt(one, wrong, async () => {
        // What is another by now is in the list, as it is.
        await api(method, path("memory", m.memory_id), { body: change, headers: { "If-Match": `"${m.version}"` } }).catch((error) => {
          if (error.status === 412) changed(close, "");
          throw error;
        });
        await changed(close, done);
      });
      sheet(m.title, (close) => {
        const forget = button("plain.danger", words.forget, async () => (await confirm({ title: words.forgetTitle(m.title), body: isHabit ? words.forgetHabit : words.forgetBody, verb: words.forget })) && send(forget, close, "DELETE", undefined, words.forgotten));
        fill(body, m.content !== m.title && h("p", m.content), facts([
          [words.kind, words.kinds[m.memory_type]], [words.from, from(m)], [words.sure, sureness(m.confidence)], [words.since, when(m.created_at)], [words.said, m.correction && words.correction(m.correction, unit)],
        ]), h("div.chips.wrap", deviceChips(m.related_devices)), buttons(m.may_change && [button("tonal", words.correct, () => correct(close)), forget], button("outlined", text.close, () => close(""))));
        return [body, wrong];
      });

      function correct(close) {
        const anew = button("tonal", words.relearn, () => send(anew, close, "PATCH", { correction: { relearn: true } }, words.corrected));
        fill(body, form(close, words.save, isHabit ? habitFields(m, unit) : textFields(m.content), (save, change) => send(save, close, "PATCH", change, words.corrected), isHabit && anew));
        body.querySelector(".input, button").focus();
      }
    }

    function add() {
      const wrong = h("div");
      let type = "semantic";
      const fields = textFields("", segments(words.kind, Object.entries(words.kinds), type, (chosen) => (type = chosen)), wrong);
      sheet(words.add, (close) => form(close, words.keep, fields, (save, change) => attempt(save, wrong, async (key) => {
        await api("POST", "/memory", { key, body: { type, ...change } });
        await changed(close, words.added);
      })));
      document.querySelector("dialog .input").focus();
    }

    return page(until, "memory", { actions: button("filled", icon("plus", "i18"), add, words.add) }, search.node, chips, place);
  }

  const from = (m) => (m.told_by ? words.by(m.told_by) : words.sources[m.source]);

  function textFields(value, ...more) {
    const content = field(words.content, { rows: "4", maxlength: "2000", value }, { tag: "textarea" });
    return { nodes: [content.node, more], value() {
      const said = content.value.trim();
      content.error(!said && words.missing);
      return said && { content: said };
    } };
  }

  /** By when it is to be shut, or what a sensor is to show, as this person reads it; of hours it can only be said that they are to be learned anew. */
  function habitFields(m, unit) {
    const now = m.correction || {};
    // Of closing.
    if (m.memory_id.startsWith("habit_c")) {
      const by = timeField(words.shut, now.shut_by);
      return { nodes: by.node, value: () => by.time() && { correction: { shut_by: by.time() } } };
    }
    const [low, high] = unit === undefined ? [] : ["low", "high"].map((name) => field([words[name], unit && `, ${number.unit(unit)}`], { inputmode: "decimal", value: now[name] != null && +number.own(now[name], unit).toFixed(2) }));
    return low && { nodes: [low.node, high.node], value() {
      const [a, b] = [low, high].map((one) => number.house(parseFloat(one.value.replace(",", ".")), unit));
      high.error(a <= b ? null : words.range);
      return a <= b && { correction: { low: a, high: b } };
    } };
  }
}

// The twins of the devices: what each says, what was asked of it, what is still under way; and a room's warmth, measured, fitted and foretold.
{
  const words = mind.twins;
  const GROUPS = [[words.out, /err|out|ing$/], [words.in, /zed$/], [words.planned, /^no/]];
  const TONES = { error: "danger", out_of_sync: "brass", syncing: "info" };

  screens.twins = { open };

  async function open({ params: [id], until }) {
    const twin = id && (await api("GET", path("twins", id)));
    const measures = id && Object.values(twin.reported).some(({ kind, state }) => kind === "sensor" && !isNaN(parseFloat(state)));
    const meters = measures ? (await api("GET", path("devices", twin.device_id))).entities.filter((one) => kindOf(one) === "sensor") : [];
    const { historySection } = measures ? await import("../Devices/history.js") : {};
    return page(until, "twins", id ? { title: twin.name, back: "/house/twins" } : {}, liveSection(until, source(path("twins", ...(id ? [id] : [])), /^twin/), id ? one : all),
      meters.map((entity) => historySection(twin, { entity, name: entity.name }, meters[1], until)));
  }

  const all = ({ twins }, node) => fill(node, GROUPS.map(([name, statuses]) => {
    const mine = twins.filter((twin) => statuses.test(twin.sync_status));
    return mine.length ? section(name, { aside: small(mine.length) }, rows(mine.map((twin) => row(twin.name, `/house${path("twins", twin.id)}`, twin.last_sync ? [words.heard, when(twin.last_sync)] : words.never,
      TONES[twin.sync_status] && badge(words.statuses[twin.sync_status], TONES[twin.sync_status]))))) : null;
  }), !twins.length && h("div.panel", empty(words.none, words.noneDo)));

  function one(twin, node) {
    const { entities = [] } = deviceOf(twin.device_id) || {}, entries = Object.entries(twin.reported);
    const named = (id) => (entries.length > 1 && entities.find((one) => one.entity_id === id)?.name) || twin.name;
    const column = (title, list, none) => h("section", h("h2", title), list.length ? facts(list) : h("p.third", none));
    const wishes = (list) => list.map((wish) => [named(wish.entity_id), [h("span", words.wish(wish)), small(words.since(shortMoment(read(wish.since)), wish.by, wish.until && clock(read(wish.until))))]]);
    fill(node, h("p.lead-sentence", words.statuses[twin.sync_status], ". ", words.differs(twin.diverging_keys)), h("div.panel.columns",
      column(words.reported, entries.map(([id, report]) => [named(id), [h("span", words.report(report)), report.at && small(when(report.at))]]), words.never), column(words.desired, wishes(twin.desired), words.nothing), column(words.pending, wishes(twin.pending), words.nothing)),
    h("div.chips.wrap", deviceChips([twin.device_id])), twin.thermal ? warmth(twin.thermal) : twin.thermal_problem && section(words.warmth, {}, h("p.third", twin.thermal_problem)));
  }

  function warmth(t) {
    const [inside, fitted, forecast, outside] = words.lines;
    return section(words.warmth, {}, h("div.panel.padded", chart(words.warmth, "°C", [
      { name: inside, points: t.measured.map((one) => point(one.at, one.inside)) }, { name: fitted, points: t.fitted.map((one) => point(one.at, one.value)) },
      { name: forecast, points: t.forecast.map((one) => point(one.at, one.value, one.low, one.high)) }, { name: outside, points: t.measured.filter((one) => one.outside !== null).map((one) => point(one.at, one.outside)) },
    ]), facts([[words.keeps, words.between(t.time_constant, "h")], [words.heats, words.between(t.heating_rate, "°C/h")], [words.readings, `${number.step(t.hours_of_readings, 0)} h`]])));
  }
}

// What would be, from what was: a change that is only imagined, and how the days behind would have gone with it.
{
  const words = mind.whatIf;
  /** How what may be watched stands when nobody closed it. */
  const OPEN = { lock: "unlocked", cover: "open", binary_sensor: "on" };
  const opens = ({ entity_type: type, device_class: kind }) => OPEN[type] && (type !== "binary_sensor" || /^(door|window|opening|garage_door)$/.test(kind));

  screens.whatIf = { open };

  async function open({ until, say }) {
    let kind = "room", duration = "8h";
    const { scheduleEditor } = await import("../Guests/schedule.js");
    const room = choice(words.room, session.house.rooms.map((one) => [one.room_id, one.name])), warm = field(words.temperature(number.unit("°C")), { inputmode: "decimal", value: Math.round(number.own(21, "°C")) });
    const weekly = scheduleEditor(() => {}), noDays = h("span.field-error"), hoursOf = h("div"), thing = choice(words.device, []), wait = choice(words.wait, Object.entries(words.waits));
    const device = choice(words.device, []), power = choice(words.power, Object.entries(words.powers)), who = choice(words.who, []), rule = choice(words.what, Object.entries(words.rules), { onchange: () => fill(hoursOf, rule.value === "schedule" && weekly.node) });
    const from = timeField(words.from), to = timeField(words.to), pair = (...two) => h("div.two", two.map(({ node }) => node)), hours = pair(from, to);
    const forms = { room: pair(room, warm), device: pair(device, power), watch: pair(thing, wait), access: [pair(who, rule), hoursOf] };
    const fields = h("div.stack"), result = h("div", { tabindex: "-1" }), go = h("button.button.filled", { type: "submit" }, words.go);
    const pick = (chosen) => fill(fields, forms[(kind = chosen)], kind !== "access" && hours);
    pick(kind);
    const offer = (topic, ...lists) => until(follow(topic, (all) => lists.forEach(([one, pairs]) => one.input.length || one.offer(all.flatMap(pairs))), () => {}));
    offer("devices", [device, (one) => (one.entities.some((entity) => may(entity, "on")) ? [[one.device_id, one.name]] : [])],
      [thing, (one) => one.entities.filter(opens).map((entity) => [entity.entity_id, nameOf(one, entity)])]);
    if (session.can("invite_guests")) offer("guests", [who, (one) => [[`guest:${one.guest_id}`, one.name]]]);

    /** What is imagined, as the hub takes it; nothing where a field is wrong. */
    function imagined() {
      const start = from.time(), end = to.time(), when = start && end ? { from: start, to: end } : {};
      // Hours have both.
      if (!from.value !== !to.value) (from.value ? to : from).error(text.invite.timeUnreadable);
      const temperature = number.house(parseFloat(warm.value.replace(",", ".")), "°C"), one = { room, device, watch: thing, access: who }[kind];
      const isWeekly = rule.value === "schedule", [[missing, spot] = []] = isWeekly && kind === "access" ? weekly.problems() : [];
      warm.error(temperature >= 5 && temperature <= 35 ? null : words.warmWrong(...[5, 35].map(number.degrees)));
      one.error(one.value ? null : words.choose);
      noDays.remove();
      // A time says by itself what is wrong with it.
      if (spot && spot.type === "button") {
        spot.parentNode.after(fill(noDays, icon("alert", "i14"), missing));
        say(missing);
      }
      const wrong = fields.querySelector("[aria-invalid]") || spot;
      if (wrong) return wrong.focus();
      const change = { room: { temperature, ...when }, device: { power: power.value, ...when }, access: { [rule.value]: !isWeekly || { lines: [weekly.value()].flat() } },
        watch: { watch: { states: [OPEN[one.value.split(".")[0]]], longer_than: wait.value, ...when } } }[kind];
      return { [kind === "watch" ? "device" : kind]: { [one.value]: change } };
    }

    return page(until, "what-if", { sub: words.lead }, h("form.form.narrow", { novalidate: true, onsubmit(event) {
      event.preventDefault();
      const changes = imagined();
      if (changes) attempt(go, result, async () => {
        const answer = await api("POST", "/predictions/what-if", { body: { scenario: words.kinds[kind], changes, duration, ...(kind === "room" && { metrics: ["energy", "cost", "comfort", "temperature"] }) } });
        fill(result, shown(answer));
        result.focus();
        say(answer.response);
      });
    } }, segments(words.what, Object.entries(words.kinds).filter(([name]) => name !== "access" || session.can("invite_guests")), kind, pick), fields, h("div", h("p.field-label", words.duration), segments(words.duration, Object.entries(mind.mood.spans), duration, (chosen) => (duration = chosen))), buttons(go)), result);
  }

  function shown({ response, about, results, problems, recommendations, basis, replay }) {
    const found = Object.entries(results), part = (title, ...nodes) => section(title, { level: "h3" }, nodes);
    return [
      section(capitalize(about), {}, !found.length && h("p", response)),
      found.map(([metric, { words: said, unit, series }]) => {
        // A share is drawn in per cent.
        const by = metric === "comfort" ? 100 : 1;
        return part(words.metrics[metric], h("p", said), series.length > 1 && h("div.panel.padded", chart(words.metrics[metric], by > 1 ? "%" : unit, [
          { name: words.usually, points: series.map((one) => point(one.at, one.baseline * by)) }, { name: words.would, points: series.map((one) => point(one.at, one.predicted * by, one.low * by, one.high * by)) },
        ])));
      }),
      found.length > 0 && [...new Set(Object.values(problems))].map((why) => h("p.third.section", why)),
      recommendations.length > 0 && part(words.advice, rows(recommendations.map((one) => row(one.words)))),
      replay && replay.rows.length > 0 && part(words.replay, rows(replay.rows.map((one) => row(deviceOf(one.device_id)?.name || one.device_id, null, words.was(shortMoment(read(one.at)), one)))), replay.more_rows && small(mind.talk.more(replay.more_rows))),
      part(mind.evidence, h("p", basis.words)),
    ];
  }
}
