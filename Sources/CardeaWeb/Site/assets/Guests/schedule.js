// Weekly hours: seven day chips, from and to as free text, a strip that draws the week. There can be several lines.

import { setAttribute, field, fill, h, icon, keyed, setStyles, text, wallTime, zoneDiffers } from "../Shell/ui.js";
import { parseClock } from "./timeField.js";

const words = text.invite;
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const minutes = (at) => at.split(":").reduce((h, m) => Number(h) * 60 + Number(m));

/** The editor: `{ node, value() → lines or null, problems() → [[words, input]] }`. Calls `changed` after every change. */
export function scheduleEditor(changed) {
  let lines = [{ id: 1, days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" }];
  let count = 1;
  const list = h("div.lines");
  const week = h("div.week", { "aria-hidden": "true" });
  const add = h("button.button.plain.flush", { onclick: () => {
    count += 1;
    lines.push({ id: count, days: [], from: "09:00", to: "12:00" });
    paint();
    list.lastElementChild.querySelector("button").focus();
  } }, icon("plus", "i18"), words.addLine);
  const node = h("div.schedule", list, add, week, zoneDiffers() ? h("p.small.third", words.houseTime) : null);

  function paint() {
    keyed(list, lines, (line) => line.id, makeLine, (row) => {
      row.querySelector(".line-remove").hidden = lines.length < 2;
    });
    drawWeek();
    changed();
  }

  function makeLine(line) {
    const chips = h("div.day-chips", { role: "group", "aria-label": words.days }, DAYS.map((day) => {
      const chip = h("button.day-chip", { "aria-pressed": String(line.days.includes(day)), "aria-label": words.dayLong[day], onclick: () => {
        line.days = line.days.includes(day) ? line.days.filter((d) => d !== day) : DAYS.filter((d) => d === day || line.days.includes(d));
        setAttribute(chip, "aria-pressed", String(line.days.includes(day)));
        drawWeek();
        changed();
      } }, words.day[day]);
      return chip;
    }));
    const next = h("span.small.third.next-day");
    const time = (name, label) => {
      const f = field(label, { value: wallTime(line[name]), inputmode: "text", autocomplete: "off" });
      const take = () => {
        const read = parseClock(f.value);
        f.error(read ? null : words.timeUnreadable);
        line[`${name}Bad`] = read ? null : f.input;
        if (read) line[name] = read;
        overnight();
        drawWeek();
        changed();
        return read;
      };
      f.input.addEventListener("change", () => take() && (f.input.value = wallTime(line[name])));
      return f;
    };
    const overnight = () => fill(next, minutes(line.to) <= minutes(line.from) ? words.overnight : "");
    const from = time("from", words.from), to = time("to", words.to);
    to.node.append(next);
    overnight();
    line.first = chips.firstElementChild;
    return h("div.line", chips, h("div.two", from.node, to.node), h("button.icon-button.line-remove", { "aria-label": words.removeLine, title: words.removeLine, onclick: () => {
      lines = lines.filter((one) => one !== line);
      paint();
      add.focus();
    } }, icon("x", "i18")));
  }

  /** Draws the seven days; hours past midnight continue on the next day. */
  function drawWeek() {
    fill(week, DAYS.map((day, i) => {
      const track = h("div.week-track");
      for (const line of lines) {
        const a = minutes(line.from), b = minutes(line.to);
        const bar = (from, to) => track.append(setStyles(h("span.week-bar"), { "--a": `${(from / 1440) * 100}%`, "--b": `${((to - from) / 1440) * 100}%` }));
        if (line.days.includes(day)) bar(a, b > a ? b : 1440);
        if (b <= a && line.days.includes(DAYS[(i + 6) % 7])) bar(0, b);
      }
      return h("div.week-day", h("span", words.day[day][0]), track);
    }));
  }

  paint();
  return {
    node,
    value: () => {
      const good = lines.filter((line) => line.days.length).map(({ days, from, to }) => ({ days, from, to }));
      return good.length === 0 ? null : good.length === 1 ? good[0] : good;
    },
    problems: () => lines.flatMap((line) => [
      ...(line.days.length ? [] : [[words.daysMissing, line.first]]),
      ...["fromBad", "toBad"].filter((key) => line[key]).map((key) => [words.timeUnreadable, line[key]]),
    ]),
  };
}
