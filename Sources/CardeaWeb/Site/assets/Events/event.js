// One event on a page of its own.

import { place } from "../Activity/place.js";
import { api } from "../Shell/api.js";
import { pageHead } from "../Shell/parts.js";
import { eventDetail } from "./detail.js";
import { headOf } from "./entry.js";

export async function open({ params, until, say, alarm, go, nothing }) {
  const known = await api("GET", `/mobile/events/${encodeURIComponent(params[0])}`);
  const head = headOf(known), list = `/activity${place.search}`;
  const detail = eventDetail(known.id, { until, say, alarm, known, heads: false, removed: () => {
    place.gone.add(known.id);
    go(list, { replace: true });
  }, missing: () => nothing().node });
  const back = (event) => event.key === "Escape" && !document.querySelector("dialog[open]") && go(list);
  addEventListener("keydown", back);
  until(() => removeEventListener("keydown", back));
  return { title: head, className: "event-page", node: [pageHead(head, { back: list }), detail] };
}
