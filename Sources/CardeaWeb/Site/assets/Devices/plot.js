// A line chart over time: round steps, whole hours and midnights of the house, visible gaps.

import { clock, DAY, fill, format, h, HOUR, instantOf, number, dateParts, read, shortMoment, svg, text } from "../Shell/ui.js";

const words = text.history;
const NICE = [1, 2, 5, 10];

/** At most five values from nice steps that hold everything between `low` and `high`. */
function scale(low, high) {
  const span = high - low || Math.abs(high) || 1;
  const rough = span / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  for (const nice of NICE) {
    const step = nice * power;
    const from = Math.floor(low / step) * step, to = Math.ceil(high / step + 1e-9) * step;
    const n = Math.round((to - from) / step);
    if (n <= 4) return { from, to, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), ticks: Array.from({ length: n + 1 }, (_, i) => from + i * step) };
  }
  return scale(low - span / 2, high + span / 2);
}

/** Whole hours of a day, midnights of a week, Mondays of a month, by the house's clock. */
function moments(from, to) {
  const span = to - from;
  const list = [];
  const p = dateParts(from);
  for (let day = 0; day <= span / DAY + 2; day += 1) {
    for (let hour = 0; hour < 24; hour += span <= DAY / 2 ? 2 : span <= 1.5 * DAY ? 6 : 24) {
      const at = instantOf(p.year, p.month, p.day + day, hour);
      const monday = new Date(Date.UTC(p.year, p.month - 1, p.day + day)).getUTCDay() === 1;
      if (at >= from && at <= to && (span <= 10 * DAY || monday)) list.push({ at, word: span <= 1.5 * DAY ? clock(at) : span <= 10 * DAY ? format("wds", { weekday: "short" }).format(at) : format("dm", { day: "numeric", month: "short" }).format(at) });
    }
  }
  return list;
}

/** One point, or a pair, per column: `[{ at, low, high, mean }]`. */
function columns(points, from, to, width) {
  const made = [];
  const wide = (to - from) / Math.max(1, width);
  for (const point of points) {
    const column = Math.floor((point.at - from) / wide);
    const last = made[made.length - 1];
    if (last && last.column === column) {
      last.low = Math.min(last.low, point.low);
      last.high = Math.max(last.high, point.high);
      last.until = point.at;
      last.sum += point.mean;
      last.n += 1;
      last.mean = last.sum / last.n;
    } else made.push({ column, at: point.at, until: point.at, low: point.low, high: point.high, mean: point.mean, sum: point.mean, n: 1 });
  }
  return made;
}

/** Names at the right edge, each as near its line's end as the others let it: `[{ y, … }]` from above. */
function apart(ends, step, bottom) {
  ends.sort((a, b) => a.y - b.y);
  ends.forEach((one, i) => i && (one.y = Math.max(one.y, ends[i - 1].y + step)));
  for (let i = ends.length - 1; i >= 0; i -= 1) ends[i].y = Math.min(ends[i].y, bottom - (ends.length - 1 - i) * step);
  return ends;
}

/**
 * `plot({ name, unit })` → `{ node, show({ points, from, to, gap, sentence }) }`. Points are `{ at, low, high, mean }`. For several lines, pass
 * `lines: [{ name, points }]` instead of `points`; each has a label at its end and a style of its own.
 * A finger, the mouse or the arrow keys choose a moment; its values stand above the chart.
 */
export function plot({ name, unit }) {
  const read = h("p.plot-read", { "aria-hidden": "true" }, "\u00a0");
  const stage = h("div.plot", { role: "slider", tabindex: "0", "aria-label": words.of(name), "aria-orientation": "horizontal" });
  const node = h("div", read, stage);
  let data = null, marks = [], chosen = null, cross = null, x = null;

  const say = ({ at, of }) => `${words.at(at)}  ${of.map(({ name, mark }) => `${name ? `${name} ` : ""}${words.value(mark, unit)}`).join(" · ")}`;

  function choose(index) {
    chosen = index === null ? null : Math.min(marks.length - 1, Math.max(0, index));
    const point = chosen === null ? null : marks[chosen];
    read.textContent = point ? say(point) : data.sentence;
    stage.setAttribute("aria-valuenow", chosen === null ? marks.length - 1 : chosen);
    stage.setAttribute("aria-valuetext", point ? say(point) : data.sentence);
    if (!cross) return;
    cross.setAttribute("visibility", point ? "visible" : "hidden");
    if (point) cross.setAttribute("transform", `translate(${x(point.at)} 0)`);
  }

  function draw() {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const width = stage.clientWidth, height = stage.clientHeight;
    if (!data || !width) return;
    const lines = data.lines || [data];
    const all = lines.flatMap(({ points }) => points);
    const own = (value) => number.own(value, unit);
    const low = Math.min(data.least ?? Infinity, ...all.map((p) => own(p.low))), high = Math.max(...all.map((p) => own(p.high)));
    const { from: bottom, to: top, ticks, digits } = scale(low, high);
    const labels = ticks.map((value) => number.step(value, digits));
    const left = Math.max(...labels.map((label) => label.length)) * .47 * rem + .5 * rem, base = height - 1.5 * rem, head = 1.5 * rem;
    const right = width - (data.lines ? Math.max(...lines.map(({ name }) => name.length)) * .45 * rem + 1.75 * rem : 0);
    x = (at) => left + ((at - data.from) / (data.to - data.from)) * (right - left - 4);
    const up = (value) => base - ((value - bottom) / (top - bottom)) * (base - head), y = (value) => up(own(value));
    const point = (mark, value) => `${x(mark.at).toFixed(1)} ${y(value).toFixed(1)}`;
    const drawing = svg("svg", { width, height, "aria-hidden": "true", focusable: "false" });
    ticks.forEach((value, i) => drawing.append(svg("line", { class: "plot-grid", x1: left, x2: right, y1: up(value), y2: up(value) }), svg("text", { class: "plot-text", x: left - .375 * rem, y: up(value) + .25 * rem, "text-anchor": "end" }, labels[i])));
    if (unit) drawing.append(svg("text", { class: "plot-text", x: 0, y: .75 * rem }, number.unit(unit)));
    let free = left;
    for (const { at, word } of moments(data.from, data.to)) {
      const half = word.length * .25 * rem;
      drawing.append(svg("line", { class: "plot-tick", x1: x(at), x2: x(at), y1: base, y2: base + 4 }));
      if (x(at) - half < free || x(at) + half > width) continue;
      drawing.append(svg("text", { class: "plot-text", x: x(at), y: height - .25 * rem, "text-anchor": "middle" }, word));
      free = x(at) + half + .5 * rem;
    }
    const found = new Map(), ends = [];
    lines.forEach(({ name, points }, n) => {
      const runs = [];
      for (const mark of columns(points, data.from, data.to, right - left)) {
        const run = runs[runs.length - 1];
        if (run && mark.at - run[run.length - 1].until <= data.gap) run.push(mark);
        else runs.push([mark]);
        if (!found.has(mark.column)) found.set(mark.column, { at: mark.at, of: [] });
        found.get(mark.column).of.push({ name, mark });
      }
      for (const run of runs) {
        if (run.some((mark) => mark.high > mark.low)) drawing.append(svg("path", { class: `plot-band n${n}`, d: `M${run.map((mark) => point(mark, mark.high)).join("L")}L${[...run].reverse().map((mark) => point(mark, mark.low)).join("L")}Z` }));
        // A single point is drawn as a dot, or it would be invisible.
        if (run.length === 1) drawing.append(svg("circle", { class: `plot-dot n${n}`, cx: x(run[0].at), cy: y(run[0].mean), r: 1.75 }));
        else drawing.append(svg("path", { class: `plot-line n${n}`, d: `M${run.map((mark) => point(mark, mark.mean)).join("L")}` }));
      }
      if (name && points.length) ends.push({ n, name, y: y(points[points.length - 1].mean) });
    });
    for (const { n, name, y } of apart(ends, rem, base)) drawing.append(svg("path", { class: `plot-line n${n}`, d: `M${right + .125 * rem} ${y}h${1.125 * rem}` }), svg("text", { class: "plot-text", x: right + 1.5 * rem, y: y + .25 * rem }, name));
    marks = [...found.values()].sort((a, b) => a.at - b.at);
    cross = svg("line", { class: "plot-cross", x1: 0, x2: 0, y1: head, y2: base, visibility: "hidden" });
    drawing.append(cross);
    stage.textContent = "";
    stage.append(drawing);
    stage.setAttribute("aria-valuemin", 0);
    stage.setAttribute("aria-valuemax", marks.length - 1);
    // The default is the latest moment that most lines have.
    data.sentence ||= say([...marks].reverse().sort((a, b) => b.of.length - a.of.length)[0]);
    choose(chosen);
  }

  const near = (event) => {
    if (!x || !marks.length) return;
    const at = event.clientX - stage.getBoundingClientRect().left;
    let best = 0;
    marks.forEach((mark, i) => Math.abs(x(mark.at) - at) < Math.abs(x(marks[best].at) - at) && (best = i));
    choose(best);
  };
  stage.addEventListener("pointermove", near);
  stage.addEventListener("pointerdown", near);
  stage.addEventListener("pointerleave", () => document.activeElement !== stage && data && choose(null));
  stage.addEventListener("blur", () => data && choose(null));
  stage.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.round(marks.length / 12));
    const to = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -page, PageUp: page }[event.key];
    const at = event.key === "Home" ? 0 : event.key === "End" ? marks.length - 1 : to ? (chosen === null ? marks.length - 1 : chosen) + to : null;
    if (event.key === "Escape") choose(null);
    if (at === null || !marks.length) return;
    event.preventDefault();
    choose(at);
  });
  new ResizeObserver(draw).observe(stage);

  return { node, show(news) {
    data = news;
    chosen = null;
    draw();
  } };
}

export const mean = (points) => points.reduce((sum, p) => sum + p.mean, 0) / points.length;

/** The same as a table, the latest first: one row for each hour or day. Columns are `{ name, points, of(points), value? }`. */
export function tableOf(caption, daily, value, columns) {
  const groups = new Map();
  columns.forEach(({ points }, n) => points.forEach((point) => {
    const p = dateParts(point.at), key = `${p.month}-${p.day}-${daily || p.hour}`;
    if (!groups.has(key)) groups.set(key, { at: point.at - (point.at % 60000) - p.minute * 60000, of: [] });
    (groups.get(key).of[n] ||= []).push(point);
  }));
  const when = (at) => (daily ? format("dwm", { weekday: "short", day: "numeric", month: "short" }).format(at) : shortMoment(at));
  return h("table", h("caption.vh", caption), h("thead", h("tr", [daily ? words.day : words.hour, ...columns.map(({ name }) => name)].map((word) => h("th", { scope: "col" }, word)))),
    h("tbody", [...groups.values()].sort((a, b) => b.at - a.at).map(({ at, of }) => h("tr", h("th", { scope: "row" }, when(at)), columns.map((column, n) => h("td", of[n] ? (column.value || value)(column.of(of[n])) : "–"))))));
}

export const point = (at, mean, low = mean, high = mean) => ({ at: read(at), mean, low, high });

/** Lines over time: as a chart and as a table. Counters begin at zero; the columns `beside` are in the table only. */
export function chart(name, unit, lines, beside) {
  const shown = lines.filter(({ points }) => points.length), times = shown.flatMap(({ points }) => points.map(({ at }) => at));
  if (!(new Set(times).size > 1)) return h("p.third", text.history.none);
  const from = Math.min(...times), to = Math.max(...times), picture = plot({ name, unit }), table = h("div.plot-table");
  const fold = h("details.fold", { ontoggle: () => fill(table, tableOf(name, to - from > 2 * DAY, (n) => number.bare(n, unit), [...shown, ...(beside || [])].map((one) => ({ ...one, of: mean })))) }, h("summary", text.history.table), table);
  picture.show({ lines: shown, from, to, gap: (to - from) / 8 + HOUR, least: beside && 0 });
  return h("div.plot-board", picture.node, fold);
}

export const SPANS = { day: DAY, week: 7 * DAY, month: 30 * DAY };
export const gapOf = (resolution) => (resolution === "hour" ? 1.5 * HOUR : HOUR / 2);
