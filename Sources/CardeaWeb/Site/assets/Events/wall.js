// All cameras at a look, each with the age of its picture.

import { age, empty, fill, follow, h, keyed, pageHead, read, session, skeleton, timeElement, topic, unheard } from "../Shell/kit.js";
import { cameras as words } from "./words.js";
import { cameraPicture } from "./view.js";

export async function open({ until }) {
  const all = topic("/cameras", 10000, (body) => body.cameras, (type) => type === "camera_update" || type === "event");
  const wall = h("ul.wall"), board = h("div", skeleton(2, "wall-wait"));
  const add = session.can("modify_settings") && h("a.button.filled", { href: "/cameras/new" }, words.add);
  const stops = new Set();
  until(() => stops.forEach((stop) => stop()));

  until(follow(all, (list) => {
    if (!list.length) return fill(board, h("div.panel", empty(add ? words.none : words.noneOthers, add && words.noneDo)));
    if (!wall.isConnected) fill(board, wall);
    keyed(wall, list, (one) => one.camera_id, tile, (node, one) => node.show(one));
    // One that was taken out asks for nothing more.
    for (const stop of stops) if (!stop.node.isConnected) stop();
  }, (error) => !wall.isConnected && fill(board, unheard(all, error, words.failed))));

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
}
