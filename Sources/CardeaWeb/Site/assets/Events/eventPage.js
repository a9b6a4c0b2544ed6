// One event on a page of its own.

import { listPosition } from "../Activity/listPosition.js";
import { api, fill, pageHead } from "../Shell/ui.js";
import { eventDetail } from "./eventDetail.js";
import { eventTitle } from "./eventRow.js";

export async function open({ params, until, say, alarm, go, nothing }) {
  const known = await api("GET", `/mobile/events/${encodeURIComponent(params[0])}`);
  let head = eventTitle(known);
  const list = `/activity${listPosition.search}`;
  const top = pageHead(head, { back: list });
  const named = (now) => {
    fill(top.querySelector("h1"), now);
    document.title = document.title.replace(head, () => now);
    head = now;
  };
  const detail = eventDetail(known.id, { until, say, alarm, known, heads: false, named, removed: () => {
    listPosition.gone.add(known.id);
    go(list, { replace: true });
  }, missing: () => nothing().node });
  const back = (event) => event.key === "Escape" && !document.querySelector("dialog[open]") && go(list);
  addEventListener("keydown", back);
  until(() => removeEventListener("keydown", back));
  return { title: head, className: "event-page", node: [top, detail] };
}
