// The pages of the mind: the conversation, how the house feels, what it remembers, its twins, and what would be. They are one module,
// because what they share is most of them, and together they are sent in two thirds of the bytes (docs/decisions/0044).

import { api, attempt, board, button, buttons, capital, choice, clock, confirm, during, empty, facts, failed, field, fill, follow, form, h, HubError, icon, keyed, known, listOf, newKey, number, overhear, pageHead, path, put, read, refresh, row, rows, section, segments, sending, session, sheet, shortMoment, since, small, source, styled, tag, text, when } from "../Shell/kit.js";
import { act } from "../Devices/control.js";
import "../Devices/doorRow.js";
import { doorsOf, may, nameOf, tilesOf } from "../Devices/kinds.js";
import { chart, point } from "../Devices/plot.js";
import { askScene, runScene } from "../Devices/scenes.js";
import { readWall } from "../Guests/when.js";
import { mind } from "./words.js";

export const screens = {};

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

/** A time of the day, typed as one likes; `time()` is what it says, null where that cannot be read. */
function timeField(label, value = "") {
  const one = field(label, { value, autocomplete: "off", onchange: () => (one.input.value = one.time() || one.value) });
  one.time = () => {
    const time = readWall(one.value);
    one.error(time || !one.value ? null : text.invite.timeUnreadable);
    return time;
  };
  return one;
}

const deviceOf = (id) => (known("devices") || []).find((one) => one.device_id === id);
/** Devices by their ids, as chips that open them; what nobody can see has none. */
const deviceChips = (ids) => ids.map(deviceOf).filter(Boolean).map((one) => h("a.chip", { href: path("devices", one.device_id), onclick: ({ target }) => target.closest("dialog") && target.closest("dialog").close() }, one.name));

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
  const WIDE = matchMedia("(min-width: 75em)");
  /** For so long the line may tell of a question after it was asked here; later, the same was asked elsewhere. */
  const LATE = 60000;
  /** What was said while this page of the browser stands: left and come back to, it goes on. */
  const conversation = newKey();
  let thread = null;

  screens.house = { open };

  /** The interview had pages of its own once; their addresses lead here. */
  async function open({ params, query, until, say }) {
    const mayTell = session.can("add_devices"), wanted = mayTell && (params[0] || query.get("interview"));
    // One that is nobody's is no page.
    if (wanted) await api("GET", `${path("interview", wanted)}/status`);
    if (params.length) history.replaceState(null, "", wanted ? `/house?interview=${encodeURIComponent(wanted)}` : "/house");
    thread ||= make();
    until(follow("devices", (devices) => {
      thread.offer(devices);
      for (const door of doorsOf(devices)) for (const row of thread.log.querySelectorAll("door-row")) if (row.id === door.entity.entity_id) row.update(door);
    }, () => {}));
    const actions = mayTell && takeIn({ wanted, isAsked: wanted || params.length > 0, until, say });
    setTimeout(thread.last);
    return page(until, "", { title: words.title, actions }, thread.node);
  }

  /** Questions at the right, answers as prose; Up and Down bring back what was said before. */
  function make() {
    const log = h("div.talk", { role: "log", "aria-label": words.log }), beside = h("aside.evidence", { "aria-label": mind.evidence }), examples = h("div");
    const asked = [], mine = new Map(), last = () => log.lastChild.scrollIntoView({ block: "nearest" }), isBusy = () => send.getAttribute("aria-disabled");
    let at = 0;
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
      if (sentence) ask(sentence);
    }, question.node, send);
    form.className = "talk-form";
    log.append(examples);
    overhear(hear);
    const taken = h("div.taken"), wrong = h("div");
    return { node: h("div.with-aside", h("div.talk-page", h("h2.vh", words.log), log, taken, wrong, form), beside), log, taken, wrong, offer, said, heard, bring, last, focus: () => question.input.focus(), told: [], turns: {}, busy: 0 };

    function add(node) {
      examples.remove();
      log.append(node);
      last();
      return node;
    }

    /** What is over stays where it was told of. */
    function said(sentence) {
      if (thread.over) log.append(thread.over);
      thread.over = null;
      add(h("p.said", sentence));
    }

    function heard(...nodes) {
      return add(h("div.heard", nodes));
    }

    /** Questions about this house, while none was asked. */
    function offer(devices) {
      if (examples.firstChild || !devices.length) return;
      const [door] = doorsOf(devices), light = tilesOf(devices).find(({ entity }) => may(entity, "on")), the = ({ name }) => text.sentence.the(name);
      fill(examples, h("p", words.empty), h("p.third", words.emptyDo), choices([...(door ? [words.locked(the(door)), words.who(the(door))] : []), words.on, ...(light ? [words.turnOn(the(light))] : []), words.mood]));
    }

    /** What could be asked or meant, as chips that ask it. */
    function choices(list) {
      return h("div.chips.wrap", list.map((one) => h("button.chip.choice", { type: "button", onclick: () => ask(one) }, icon("ask", "i18"), one)));
    }

    function ask(sentence) {
      if (isBusy()) return;
      at = asked.push(sentence);
      said(sentence);
      bring(sentence, heard(), newKey());
    }

    /** What comes of it stands in one place, also of a second try, which is the same message still. */
    function bring(sentence, place, key) {
      if (isBusy()) return;
      const late = setTimeout(() => fill(place, h("p.third", words.thinking)), 400);
      const show = (...nodes) => {
        clearTimeout(late);
        fill(place, nodes);
        last();
      };
      fill(place);
      mine.set(sentence, Date.now() + LATE);
      // While it is told of devices, what is no question is about them.
      during(send, words.send, async () => show(await (thread.tell && !sentence.endsWith("?") ? thread.tell(sentence, key) : answer(sentence))), (error) => {
        if (error.status) mine.delete(sentence);
        show(failed(error, () => bring(sentence, place, key), words.failed));
      });
    }

    /** What was asked on another page or at a terminal stands here too. What was asked here is told of as well, and stands here already. */
    function hear(type, { query, response, confidence }) {
      if (type !== "consciousness_query") return;
      const isMine = mine.get(query) > Date.now();
      mine.delete(query);
      if (isMine) return;
      thread.told.push(query);
      said(query);
      heard(h("p.answer", response), small(sureness(confidence)));
    }

    async function answer(query) {
      if (!known("devices")) await refresh("devices");
      const { response, confidence, context: { events, devices, more_events: others = 0 }, suggested_actions: acts, choices: meant, for_interview: isTold } = await api("POST", "/consciousness/query", { body: { query, context: { conversation } } });
      if (acts.some((one) => one.scene_id)) await refresh("scenes");
      const found = await happenings(events.slice(0, MOST)), left = Math.max(events.length - MOST, 0) + others;
      const show = (chosen) => fill(beside, found.length > 0 && h("section.panel.padded", h("h2", mind.evidence), small(query), told(found, chosen)));
      const open = (one) => {
        if (!WIDE.matches) return evidence([one]);
        show(one);
        beside.querySelector("[data-chosen]").focus();
      };
      show();
      const take = button("tonal", mind.interview.take, () => thread.begin(take, query));
      return [
        h("p.answer", response), acts.length ? null : small(sureness(confidence)),
        h("div.chips.wrap", found.map((one) => h("button.chip", { type: "button", onclick: () => open(one) }, one.content)),
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
    let id, status, total, others = [], stop = () => {};
    until(() => stop());
    thread.tell = thread.over = null;
    thread.begin = begin;
    fill(wrong);

    const start = button("filled", icon("plus", "i18"), () => begin(start), words.start);
    const settle = (kind, word, body, name) => {
      const node = button(kind, word, () => attempt(node, wrong, async (key) => heard(came(await post(at("confirm"), key, body)))), name && h("span.vh", ` ${name}`));
      return node;
    };
    const pause = button("outlined", words.pause, async () => {
      await attempt(pause, wrong, async (key) => {
        const reply = await post(at(pause.dataset.to), key);
        if (reply.ai_response) heard(came(reply));
      });
      put(pause, words[pause.dataset.to]);
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
      h("div", { onclick: ({ target }) => target.closest("a") && close("") }, rows(others.map((one) => row(words.of(shortMoment(read(one.session_started_at))), `/house?interview=${encodeURIComponent(one.interview_id)}`, words.progress(one.progress), tag(words.statuses[one.status] || one.status))))),
      buttons(button("outlined", text.close, () => close(""))),
    ]));
    earlier.hidden = true;
    fill(taken, !isAsked && part);
    board(until, all, ({ interviews }) => {
      const open = interviews.find(isOpen);
      stand(wanted || (open ? open.interview_id : id));
      others = interviews.filter((one) => one.interview_id !== id);
      start.hidden = Boolean(open);
      earlier.hidden = !others.length;
      if (!part.isConnected) fill(taken, part);
    }, taken);
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
      [id, total] = [next, 0];
      thread.tell = thread.over = null;
      fill(part);
      if (!id) return;
      deeds.hidden = true;
      status = source(at("status"), /^interview/);
      fill(part, board((made) => (stop = made), status, paint), deeds);
    }

    function begin(one, sentence) {
      return attempt(one, wrong, async (key) => {
        const reply = await post("/interview/start", key, {});
        letGo();
        stand(reply.interview_id);
        goOn(reply);
        if (sentence) {
          one.remove();
          thread.bring(sentence, heard(), newKey());
        } else heard(came(reply));
        thread.focus();
        await refresh(all);
      });
    }

    /** While it goes on, it is told what is said. */
    function goOn(now) {
      thread.tell = now.status === "active" ? tell : null;
    }

    async function tell(message, key) {
      thread.told.push(message);
      return came(await post(at("message"), key, { message }));
    }

    async function post(to, key, body) {
      thread.busy += 1;
      try {
        const reply = await api("POST", to, { body, key });
        thread.told.push(reply.ai_response || reply.ai_message || "");
        goOn(reply);
        return reply;
      } finally {
        thread.busy -= 1;
        if (status) refresh(status, all).then(catchUp);
      }
    }

    function came({ ai_message: greeting, ai_response: response = greeting, created_devices: made = [] }) {
      return [h("p.answer", response), made.map((one) => one.next_steps.length > 0 && [h("strong", one.name), one.next_steps.map((step) => h("p", step))])];
    }

    /** What of it was said elsewhere, or before this page was opened. What was said here stands here already. */
    async function catchUp() {
      const mine = id, had = thread.turns[mine] || 0, { told, log } = thread, known = told.length;
      if (thread.busy || total <= had) return;
      let came;
      thread.busy += 1;
      try {
        came = await api("GET", at("conversation"));
      } catch (error) {
        if (!(error instanceof HubError)) throw error;
      } finally {
        thread.busy -= 1;
      }
      // While something is said here its answer is on its way; what comes after it catches up.
      if (!came || thread.busy) return;
      // What was said long ago is read, and not read out.
      if (!had) log.ariaLive = "off";
      setTimeout(() => (log.ariaLive = null), 1000);
      for (const { speaker, text: what } of came.turns.slice(had - came.total_turns)) {
        const isHouse = speaker === "house";
        if (!told.some((one) => (isHouse ? one.includes(what) : one === what))) isHouse ? heard(h("p.answer", what)) : thread.said(what);
      }
      told.splice(0, known);
      thread.turns[mine] = came.total_turns;
      return catchUp();
    }

    function paint(now, node) {
      const { progress, candidates, notes } = now, goesOn = isOpen(now), ready = candidates.filter((one) => one.status === "pending"), left = notes.filter((one) => !one.superseded_at);
      goOn(now);
      deeds.hidden = !goesOn;
      pause.dataset.to = now.status === "paused" ? "resume" : "pause";
      put(pause, words[pause.dataset.to]);
      total = now.conversation_summary.total_turns;
      catchUp().then(() => (thread.over = !goesOn && part.contains(node) && node));
      fill(node, section(words.found, { aside: small(words.progress(progress)) }, candidates.length ? rows(candidates.map(candidate)) : h("div.panel", empty(words.nothing, words.nothingDo)), goesOn && ready.length > 1 && buttons(settle("tonal", words.all, { candidate_ids: ready.map((one) => one.id) }))),
        left.length > 0 && section(words.notes, { aside: small(words.kept) }, rows(left.map((one) => row(one.text, null, [one.room && `${one.room}, `, when(one.written_at)])))));

      function candidate(one) {
        const line = row(one.description, null, [one.room, one.matched.length > 0 && words.matched(listOf(one.matched)), one.missing.length > 0 && words.missing(listOf(one.missing.map((each) => words.fields[each])))].filter(Boolean).join(" · "),
          one.status !== "pending" && tag(words.candidates[one.status], one.status === "needs_info" ? "brass" : "quiet"));
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
      if (await (scene ? askScene(scene) : confirm({ title: `${one.words}?`, verb: one.words, danger: false }))) during(node, words.doing, async () => {
        const done = await (one.memory ? remember(one.memory) : scene ? runScene(scene) : act(one, one, one.action, one.value ?? undefined));
        put(came, done.ok ? words.done : [done.words, ...(done.lines || [])].join(" "));
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
      board((made) => (stop = made), source(`/consciousness/emotions?time_range=${span}`, /^status/), ({ current, history }) => {
        put(why, current.reasoning);
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
      put(value, number.percent(mood[key] * 100));
      styled(track, { "--v": `${mood[key] * 100}%` });
      const mine = mood.causes.filter((one) => Math.abs(one.shares[at]) >= .005), signature = JSON.stringify(mine);
      if (causes.dataset.of === signature) return;
      causes.dataset.of = signature;
      fill(causes, h("ul.rows", mine.length ? mine.map((one) => h("li", h("span", `${one.shares[at] > 0 ? "+" : "−"}${number.percent(Math.abs(one.shares[at] * 100))}`), h("span.row-words", h("span", one.words), small(when(one.since, since)),
        h("span.chips.wrap", deviceChips(one.devices), one.events.length > 0 && h("button.chip", { type: "button", onclick: async () => evidence(await happenings(one.events.slice(0, 20))) }, mind.evidence))))) : h("li.third", words.none)));
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
    const chips = h("div.chips", { role: "group", "aria-label": words.kind }, ["", ...Object.keys(words.kinds)].map((type) => h("button.chip", { type: "button", "data-type": type, onclick: () => find({ type }) }, words.kinds[type] || words.all)));
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
      // All of it is kept with the board, and read where the house cannot be reached.
      memories = type || q ? source(`/memory?${asks({ memory_type: type, q, time_range: "9999d", limit: 200 })}`, /^memory/) : "memories";
      board((made) => (stop = made), memories, paint, place);
    }

    function paint({ memories, total }) {
      const what = look.type + look.q;
      if (asked !== null && asked !== what) say(words.found(total));
      asked = what;
      if (!memories.length) return fill(place, h("div.panel", what ? empty(words.noneFound, null, button("outlined", words.showAll, () => find({ type: "", q: (search.input.value = "") }))) : empty(words.none, words.noneDo)));
      if (!panel.isConnected) fill(place, panel);
      keyed(panel.firstChild, memories, (m) => `${m.memory_id} ${m.version}`, (m) => row(m.content.length > 160 ? m.title : m.content, () => show(m), [`${words.kinds[m.memory_type]} · ${from(m)} · `, when(m.created_at)]));
    }

    const changed = (close, done) => {
      close("");
      say(done);
      return refresh(memories);
    };

    /** One memory, and what may be done with it. */
    function show(m) {
      const body = h("div"), wrong = h("div"), f = words.facts, isHabit = m.memory_id.startsWith("habit_");
      const send = (one, close, method, change, done) => attempt(one, wrong, async () => {
        // What is another by now is in the list, as it is.
        await api(method, path("memory", m.memory_id), { body: change, headers: { "If-Match": `"${m.version}"` } }).catch((error) => {
          if (error.status === 412) changed(close, "");
          throw error;
        });
        await changed(close, done);
      });
      sheet(m.title || words.kinds[m.memory_type], (close) => {
        const forget = button("plain.danger", words.forget, async () => (await confirm({ title: words.forgetTitle(m.title || m.content), body: isHabit ? words.forgetHabit : words.forgetBody, verb: words.forget })) && send(forget, close, "DELETE", undefined, words.forgotten));
        fill(body, m.content !== m.title && h("p", m.content), facts([
          [f.kind, words.kinds[m.memory_type]], [f.from, from(m)], [f.sure, sureness(m.confidence)], [f.since, when(m.created_at)], [f.correction, m.correction && words.correction(m.correction)],
        ]), h("div.chips.wrap", deviceChips(m.related_devices)), buttons(m.may_change && [button("tonal", words.correct, () => correct(close)), forget], button("outlined", text.close, () => close(""))));
        return [body, wrong];
      });

      function correct(close) {
        const anew = button("tonal", words.relearn, () => send(anew, close, "PATCH", { correction: { relearn: true } }, words.relearning));
        fill(body, form(close, words.save, isHabit ? habitFields(m) : textFields(m.content), (save, change) => send(save, close, "PATCH", change, words.corrected), isHabit && anew));
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
      content.error(said ? null : words.missing);
      return said && { content: said };
    } };
  }

  /** By when it is to be shut, or what a sensor is to show; of hours it can only be said that they are to be learned anew. */
  function habitFields({ memory_id: id, correction }) {
    const now = correction || {};
    if (/^habit_closing/.test(id)) {
      const by = timeField(words.shut, now.shut_by);
      return { nodes: by.node, value: () => by.time() && { correction: { shut_by: by.time() } } };
    }
    const [low, high] = /^habit_level/.test(id) ? ["low", "high"].map((name) => field(words[name], { inputmode: "decimal", value: now[name] })) : [];
    return low && { nodes: [low.node, high.node], value() {
      const [a, b] = [low, high].map((one) => parseFloat(one.value.replace(",", ".")));
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
    const meters = measures ? (await api("GET", path("devices", twin.device_id))).entities.filter((one) => one.entity_type === "sensor") : [];
    const { history } = measures ? await import("../Devices/history.js") : {};
    return page(until, "twins", id ? { title: twin.name, back: "/house/twins" } : {}, board(until, source(path("twins", ...(id ? [id] : [])), /^twin/), id ? one : all),
      meters.map((entity) => history(twin, { entity, name: entity.name }, meters[1], until)));
  }

  const all = ({ twins }, node) => fill(node, GROUPS.map(([name, statuses]) => {
    const mine = twins.filter((twin) => statuses.test(twin.sync_status));
    return mine.length ? section(name, { aside: small(mine.length) }, rows(mine.map((twin) => row(twin.name, `/house${path("twins", twin.id)}`, twin.last_sync ? [words.heard, when(twin.last_sync)] : words.never,
      TONES[twin.sync_status] && tag(words.statuses[twin.sync_status], TONES[twin.sync_status]))))) : null;
  }), !twins.length && h("div.panel", empty(words.none, words.noneDo)));

  function one(twin, node) {
    const { entities = [] } = deviceOf(twin.device_id) || {}, entries = Object.entries(twin.reported);
    const named = (id) => (entries.length > 1 && (entities.find((one) => one.entity_id === id) || {}).name) || twin.name;
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
    if (session.canInvite) offer("guests", [who, (one) => [[`guest:${one.guest_id}`, one.name]]]);

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
    } }, segments(words.what, Object.entries(words.kinds).filter(([name]) => name !== "access" || session.canInvite), kind, pick), fields, h("div", h("p.field-label", words.duration), segments(words.duration, Object.entries(words.durations), duration, (chosen) => (duration = chosen))), buttons(go)), result);
  }

  function shown({ response, about, results, problems, recommendations, basis, replay }) {
    const found = Object.entries(results), part = (title, ...nodes) => section(title, { level: "h3" }, nodes);
    return [
      section(capital(about), {}, !found.length && h("p", response)),
      found.map(([metric, { words: said, unit, series }]) => {
        // A share is drawn in per cent.
        const by = metric === "comfort" ? 100 : 1;
        return part(words.metrics[metric], h("p", said), series.length > 1 && h("div.panel.padded", chart(words.metrics[metric], by > 1 ? "%" : unit, [
          { name: words.usually, points: series.map((one) => point(one.at, one.baseline * by)) }, { name: words.would, points: series.map((one) => point(one.at, one.predicted * by, one.low * by, one.high * by)) },
        ])));
      }),
      found.length > 0 && [...new Set(Object.values(problems))].map((why) => h("p.third.section", why)),
      recommendations.length > 0 && part(words.advice, rows(recommendations.map((one) => row(one.words)))),
      replay && replay.rows.length > 0 && part(words.replay, rows(replay.rows.map((one) => row((deviceOf(one.device_id) || {}).name || one.device_id, null, words.was(shortMoment(read(one.at)), one)))), replay.more_rows && small(mind.talk.more(replay.more_rows))),
      part(mind.evidence, h("p", basis.words)),
    ];
  }
}
