// One camera in large, its events, and its settings for people who may change them.

import { age, api, confirm, empty, facts, errorPanel, fill, follow, h, HubError, keyed, newKey, number, pageHead, setText, read, refresh, section, session, shortMoment, skeleton, text, timeElement, topic, loadError } from "../Shell/ui.js";
import { incidentRows, eventRow } from "./eventRow.js";
import { cameras as words } from "./words.js";
import { cameraPicture } from "./cameraView.js";

export async function open({ params, until, say, alarm, go }) {
  const path = `/cameras/${encodeURIComponent(params[0])}`;
  let camera = await api("GET", path);
  const picture = cameraPicture(camera.camera_id, camera.name, { until, live: true });
  const about = h("div"), wrong = h("div");
  const owner = session.can("modify_settings");
  const head = pageHead(camera.name, { back: "/cameras", actions: owner && [
    h("a.button.tonal", { href: `${path}/change` }, words.change),
    h("button.button.plain.danger", { onclick: remove }, words.remove),
  ] });
  const one = topic(path, 10000, (body) => body, (type, data) => type === "camera_update" && data.camera_id === camera.camera_id);
  until(follow(one, (news) => {
    camera = news;
    setText(head.querySelector("h1"), news.name);
    picture.show(news);
    const signature = JSON.stringify(news);
    if (about.shown === signature) return;
    about.shown = signature;
    const { source, detection } = news;
    fill(about, facts([
      [words.facts.kind, words.kinds[source.kind] || source.kind],
      [words.facts.address, !owner ? null : h("span.mono.small", source.address)],
      [words.facts.login, source.has_credentials ? words.yes : words.no],
      [words.facts.motion, detection.motion ? `${words.yes}, ${words.sensitivity.toLowerCase()} ${number.bare(detection.sensitivity)}` : words.no],
      [words.facts.zones, detection.motion ? (detection.zones.length ? detection.zones.map((zone) => zone.name).join(", ") : words.whole) : null],
    ]));
  }));
  picture.show(camera);

  async function remove() {
    fill(wrong);
    if (!(await confirm({ title: words.removeTitle(camera.name), body: words.removeBody, verb: words.removeVerb }))) return;
    try {
      await api("DELETE", path, { key: newKey(), headers: { "If-Match": `"${camera.version}"` } });
      say(words.removed(camera.name));
      go("/cameras", { replace: true });
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      alarm(text.error(error));
      fill(wrong, errorPanel(error, remove));
    }
  }

  return {
    title: camera.name,
    node: [head, wrong, h("div.camera-page",
      h("div.stack", h("div.panel.camera-large", picture.node, h("div.camera-age", picture.age)), seen(camera, until)),
      h("aside.panel.padded", { "aria-label": camera.name }, about))],
  };
}

/** The latest events of the camera; the rest is in the timeline. */
function seen({ camera_id }, until) {
  const list = h("ol.timeline"), board = h("div.camera-events", skeleton(2));
  const query = `camera_id=${encodeURIComponent(camera_id)}`;
  const latest = topic(`/mobile/events?limit=20&${query}`, 10000, (body) => body.events, (type) => type === "event" || type === "event_update" || type === "event_removed");
  let drawn = null;
  until(follow(latest, (events) => {
    const signature = events.map((event) => event.id + event.description).join();
    if (drawn === signature) return;
    drawn = signature;
    if (!events.length) return fill(board, h("p.third", words.noEvents));
    const focused = list.contains(document.activeElement) && document.activeElement.dataset.entry;
    fill(list, incidentRows(events).map((row) => eventRow(row, { time: shortMoment })));
    fill(board, list);
    for (const box of list.querySelectorAll(".shot")) box.load();
    const again = focused && list.querySelector(`[data-entry="${CSS.escape(focused)}"]`);
    if (again) again.focus();
  }, (error) => drawn === null && fill(board, errorPanel(error, () => refresh(latest), words.eventsFailed))));
  return section(words.events, { aside: h("a", { href: `/activity?show=seen&camera=${encodeURIComponent(camera_id)}` }, words.allEvents) }, board);
}

/** All cameras, each with the age of its picture. */
export const wall = { async open({ until }) {
  const all = topic("/cameras", 10000, (body) => body.cameras, (type) => type === "camera_update" || type === "event");
  const wall = h("ul.wall"), board = h("div", skeleton(2, "wall-wait"));
  const add = session.can("modify_settings") && h("a.button.filled", { href: "/cameras/new" }, words.add);
  const stops = new Set();
  until(() => stops.forEach((stop) => stop()));

  until(follow(all, (list) => {
    if (!list.length) return fill(board, h("div.panel", empty(add ? words.none : words.noneOthers, add && words.noneDo)));
    if (!wall.isConnected) fill(board, wall);
    keyed(wall, list, (one) => one.camera_id, tile, (node, one) => node.show(one));
    // A removed camera loads no more pictures.
    for (const stop of stops) if (!stop.node.isConnected) stop();
  }, (error) => !wall.isConnected && fill(board, loadError(all, error, words.failed))));

  function tile(one) {
    const ends = [];
    const picture = cameraPicture(one.camera_id, one.name, { until: (end) => ends.push(end) });
    const link = h("a.row-link", { href: `/cameras/${encodeURIComponent(one.camera_id)}` });
    const seen = h("span.small.third");
    const node = h("li.panel", picture.node, h("div.wall-words", h("strong", link), picture.age, seen));
    const stop = () => {
      ends.forEach((end) => end());
      stops.delete(stop);
    };
    stop.node = node;
    stops.add(stop);
    node.show = (camera) => {
      const signature = JSON.stringify(camera);
      if (node.shown === signature) return;
      node.shown = signature;
      fill(link, camera.name);
      fill(seen, camera.last_event_at ? [`${words.seen} `, timeElement(read(camera.last_event_at), age)] : null);
      picture.show(camera);
    };
    return node;
  }

  return { title: words.title, node: [pageHead(words.title, { actions: add }), board] };
} };
