// One event: its picture in large, its facts, and the other events of its incident.

import { api, clock, confirm, during, facts, errorPanel, fill, errorDetails, follow, h, HubError, icon, longDay, newKey, number, read, refresh, session, skeleton, text, timeElement, topic, readBody } from "../Shell/ui.js";
import { isMachineDescribed, eventTitle } from "./eventRow.js";
import { picturePath, snapshot, thumbnailPath } from "./snapshot.js";
import { events as words } from "./words.js";

const path = (id) => `/mobile/events/${encodeURIComponent(id)}`;

/**
 * The event `id` with its head as an `h2`, or without one if the page has it already. `pick(id)` shows another event of the incident, `removed()` is called
 * after its deletion, `missing(error)` returns the content if there is none, `named(head)` gets a new head.
 */
export function eventDetail(id, { until, say, alarm, pick, removed, missing, named = () => {}, known = null, heads = true }) {
  const node = h("div.event", skeleton(1, "event-wait"));
  const header = (event) => h("h2.event-head", eventTitle(event));
  const machine = (event) => isMachineDescribed(event) && h("p.small.third.machine", icon("info", "i18"), h("span", words.byMachine));
  const source = topic(path(id), 15000, (event) => event, (kind, data) => (kind === "event_update" || kind === "event_removed") && (data.id || data.event_id) === id);
  if (known) Object.assign(source, { value: known, at: Date.now(), asked: Date.now() });
  let left = false, shown = null;
  until(() => (left = true));
  until(follow(source, hear, (error) => {
    if (error.status === 404) fill(node, missing(error));
    else if (!shown) fill(node, errorPanel(error, () => refresh(source)));
  }));

  function hear(event) {
    const was = shown;
    shown = event;
    if (!was || was.picture_url !== event.picture_url) return show(event);
    if (eventTitle(was) === eventTitle(event) && isMachineDescribed(was) === isMachineDescribed(event)) return;
    // It is on the page already: only the words change.
    for (const [old, now] of [[".event-head", heads && header(event)], [".machine", machine(event)]]) {
      const there = node.querySelector(old);
      if (there && now) there.replaceWith(now);
      else if (there) there.remove();
      else if (now) node.querySelector(".event-when").before(now);
    }
    named(eventTitle(event));
  }

  function show(event) {
    const head = eventTitle(event), at = read(event.timestamp);
    const picture = event.picture_url ? snapshot(picturePath(event.id), { alt: head, className: "event-shot", corner: h("span.shot-time", clock(at, { seconds: true })) }) : h("p.shot.event-shot.shot-none.small", event.picture_problem?.detail || words.noPicture);
    const strip = h("ul.incident", { "aria-label": words.together, hidden: true });
    const wrong = h("div");
    const save = h("button.button.outlined", { onclick: () => saved(event, save, wrong) }, words.save);
    const remove = h("button.button.plain.danger", { onclick: () => erase(event, wrong) }, words.remove);
    fill(node, picture,
      heads && header(event),
      machine(event),
      h("p.small.third.event-when", timeElement(at, (moment) => `${longDay(moment)}, ${clock(moment)}`, false), ` · ${event.camera_name}`),
      strip,
      facts([
        [words.what, words.type(event.smart_detection_type)],
        [words.where, event.camera_id.startsWith("camera_") ? h("a", { href: `/cameras/${encodeURIComponent(event.camera_id)}` }, event.camera_name) : event.camera_name],
        [words.sure, event.confidence === undefined ? null : number.percent(event.confidence)],
        [words.ring, event.is_doorbell_ring && event.smart_detection_type !== "ring" ? words.rang : null],
        [words.source, event.source !== event.camera_name ? event.source : null],
      ]),
      (event.picture_url || session.can("modify_settings")) && h("div.row-buttons", event.picture_url && save, session.can("modify_settings") && remove), wrong);
    // Loaded when it is on the page: a box out of view loads nothing.
    if (picture.load) requestAnimationFrame(picture.load);
    others(event, strip);
  }

  /** The events of the incident, oldest first, as small pictures. */
  async function others(event, strip) {
    let all;
    try {
      all = (await api("GET", `/mobile/events?limit=100&incident_id=${encodeURIComponent(event.incident_id)}`)).events.reverse();
    } catch (error) {
      // The event itself is shown even if the others could not be loaded.
      if (error instanceof HubError) return;
      throw error;
    }
    if (left || all.length < 2) return;
    strip.hidden = false;
    fill(strip, all.map((one, index) => {
      const name = `${clock(read(one.timestamp), { seconds: true })}, ${eventTitle(one)}, ${words.position(index + 1, all.length)}`;
      const box = one.has_thumbnail ? snapshot(thumbnailPath(one.id), {}) : h("span.shot.shot-none", icon("camera", "i18"));
      return h("li", h("a.incident-link", { href: `/activity/${encodeURIComponent(one.id)}`, "aria-label": name, title: name, "aria-current": one.id === event.id ? "true" : null, onclick: (click) => {
        if (!pick || click.metaKey || click.ctrlKey || click.shiftKey) return;
        click.preventDefault();
        pick(one.id);
      } }, box));
    }));
    for (const box of strip.querySelectorAll(".shot")) if (box.load) box.load();
  }

  async function saved(event, button, wrong) {
    fill(wrong);
    await during(button, words.saving, async () => {
      const answer = await api("GET", picturePath(event.id), { raw: true, headers: { Accept: "image/jpeg" } });
      const url = URL.createObjectURL(await readBody(answer.blob()));
      const link = h("a", { href: url, download: `${event.camera_name} ${event.timestamp.slice(0, 19).replace(/[T:]/g, "-")}.jpg` });
      link.click();
      // By then the browser has started the download.
      setTimeout(() => URL.revokeObjectURL(url), 60000);
      say(words.saved);
    }, (error) => fill(wrong, errorPanel(error, () => saved(event, button, wrong), error.status === 404 ? words.pictureGone : words.pictureFailed)));
  }

  async function erase(event, wrong) {
    fill(wrong);
    if (!(await confirm({ title: words.removeTitle, body: words.removeBody, verb: words.removeVerb }))) return;
    try {
      await api("DELETE", `/events/${encodeURIComponent(event.id)}`, { key: newKey() });
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      if (error.status !== 404) {
        alarm(text.error(error));
        return fill(wrong, h("p.form-said", { role: "alert" }, icon("alert", "i18"), h("span", text.error(error), errorDetails(error))));
      }
    }
    say(words.removed);
    removed();
  }

  return node;
}
