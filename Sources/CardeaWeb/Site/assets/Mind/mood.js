// The mood of the house, its reasons, and its history.

import { liveSection, fill, h, number, setText, section, segments, since, small, source, setStyles, when } from "../Shell/ui.js";
import { chart, point } from "../Devices/plot.js";
import { mind, page, deviceChips, eventsOf, evidence } from "./shared.js";

const words = {
  feelings: { happiness: "Happiness", worry: "Worry", boredom: "Boredom", excitement: "Excitement" },
  none: "Nothing in particular.", history: "Over time",
};

const FEELINGS = Object.entries(words.feelings);

export async function open({ until }) {
  const bars = FEELINGS.map(bar), why = h("p.lead-sentence"), past = h("div"), place = h("div");
  const all = [why, h("div.panel", bars.map(({ node }) => node)), section(words.history, {}, h("div.panel.padded.plot-panel", segments(words.history, Object.entries(mind.spans), "8h", look), past))];
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

/** One feeling; opened, it shows its causes. */
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
      h("span.chips.wrap", deviceChips(one.devices), one.events.length > 0 && h("button.chip", { onclick: async () => evidence(await eventsOf(one.events.slice(0, 20))) }, mind.evidence))))) : h("li.third", words.none)));
  } };
}
