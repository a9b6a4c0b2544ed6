// The appearance in this browser; stored in this browser only.

import { h, pageHead, segments, text } from "../Shell/ui.js";

const words = text.settings;
const COLOURS = { light: "#F6F5F1", dark: "#111412" };

export async function open({ say }) {
  const now = document.documentElement.dataset.theme || "auto";
  return {
    title: words.browser,
    node: h("div.narrow", pageHead(words.browser, { back: "/settings" }), h("p.field-label", words.theme), segments(words.theme, Object.entries(words.themes), now, (theme) => {
      if (theme === "auto") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = theme;
      localStorage.setItem("cardea-theme", theme);
      document.querySelectorAll("meta[name=theme-color]").forEach((meta) => meta.setAttribute("content", COLOURS[theme] || COLOURS[/dark/.test(meta.media) ? "dark" : "light"]));
      say(words.themes[theme]);
    })),
  };
}
