// The values of a sensor over a day, a week or a month: a chart and a table.

import { api, errorPanel, fill, h, now, number, read, section, segments, text } from "../Shell/ui.js";
import { SPANS, gapOf, mean, plot, tableOf } from "./plot.js";

const words = text.history;
/** A day of readings every ten seconds is five pages of 2 000; more are not loaded. */
const PAGES = 5;

/** A section for each sensor with numeric values. */
export function historySection(device, { entity, name }, many, until) {
  const unit = entity.unit_of_measurement || "";
  let span = "day", turn = 0, drawn = null;
  const board = h("div.plot-board", h("div.plot-wait", { "aria-hidden": "true" }));
  const rows = h("div.plot-table");
  const table = h("details.fold", { hidden: true, ontoggle: () => table.open && fill(rows, asTable()) }, h("summary", words.table), rows);
  const picture = plot({ name, unit });

  async function load() {
    const mine = (turn += 1);
    const to = now(), from = to - SPANS[span];
    try {
      const answer = await readings(device, entity, from, to, span === "day" ? "raw" : "hour");
      if (mine !== turn) return;
      const { points, resolution } = answer;
      table.hidden = !points.length;
      drawn = { points, from, to, span, gap: gapOf(resolution) };
      if (!points.length) return fill(board, h("p.plot-none.third", words.none));
      const low = Math.min(...points.map((p) => p.low)), high = Math.max(...points.map((p) => p.high));
      if (!picture.node.isConnected) fill(board, picture.node);
      picture.show({ ...drawn, sentence: words.sentence(low, high, points[points.length - 1].mean, unit) });
      if (table.open) fill(rows, asTable());
    } catch (error) {
      // The chart stays; the banner says why it is not updated.
      if (mine !== turn || (drawn && drawn.span === span && error.offline)) return;
      table.hidden = true;
      drawn = null;
      fill(board, errorPanel(error, load, words.failed));
    }
  }

  const value = (n) => `${number.bare(n, unit)}${unit ? `\u00a0${number.unit(unit)}` : ""}`;
  const asTable = () => tableOf(words.caption(name, words.ranges[span]), span !== "day", value, [
    [words.lowest, (points) => Math.min(...points.map((p) => p.low))], [words.mean, mean], [words.highest, (points) => Math.max(...points.map((p) => p.high))],
  ].map(([name, of]) => ({ name, of, points: drawn.points })));

  load();
  const timer = setInterval(() => !document.hidden && !document.body.classList.contains("lost") && !board.contains(document.activeElement) && load(), 60000);
  until(() => clearInterval(timer));
  return section(many ? words.of(name) : words.title, {}, h("div.panel.padded.plot-panel", segments(words.range(name), Object.entries(words.ranges), span, (chosen) => {
    span = chosen;
    load();
  }), board, table));
}

async function readings(device, entity, from, to, resolution) {
  const iso = (at) => new Date(at).toISOString();
  const points = [];
  let next = iso(from), answer;
  for (let page = 0; page < PAGES && next; page += 1) {
    const query = new URLSearchParams({ entity_id: entity.entity_id, from: next, to: iso(to), resolution });
    answer = await api("GET", `/devices/${encodeURIComponent(device.device_id)}/history?${query}`);
    for (const point of answer.points) points.push({ at: read(point.at), low: point.min ?? point.value, high: point.max ?? point.value, mean: point.mean ?? point.value });
    next = answer.next_from;
  }
  return { points, resolution: answer.resolution };
}
