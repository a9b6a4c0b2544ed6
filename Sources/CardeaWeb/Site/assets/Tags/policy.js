// What the house leaves to tags: everything off at once, and how much by how much harm it can do.

import { api, facts, fill, follow, h, icon, refresh, segments, session, skeleton, toggle, unheard } from "../Shell/kit.js";
import { policy, wrongIn } from "./buttons.js";
import { tags as words } from "./words.js";

/** Of what lets somebody in two words of the wire say the same today. */
const ofDoors = (leave) => (leave === "at_once" ? "confirmed" : leave);

export function policyPanel({ until, say, alarm }) {
  const board = h("div", skeleton(2)), said = h("div");
  let show = null;
  until(follow(policy, (now) => {
    if (!show) show = (session.can("modify_settings") ? form : reading)();
    show(now);
  }, (error) => show || fill(board, unheard(policy, error, words.policyFailed))));
  return h("div", board, said);

  function reading() {
    const panel = h("div.panel.padded");
    fill(board, panel);
    return (now) => fill(panel, facts([[words.on, now.on ? words.switchedOn : words.switchedOff], [words.control, words.controls[now.control]], [words.open, words.opens[ofDoors(now.open)]]]));
  }

  function form() {
    const main = toggle(words.on, { help: words.onHelp, on: true, change: (on) => change({ on }) });
    const choices = [choice("control", words.controls, words.controlSays, (leave) => leave), choice("open", words.opens, words.openSays, ofDoors)];
    fill(board, h("div.panel.padded.stack", main.node, choices.map((one) => one.node)));
    return (now) => {
      main.input.checked = now.on;
      choices.forEach((one) => one.show(now));
    };
  }

  /** One risk: how far tags may go, and what that means. */
  function choice(risk, options, says, shown) {
    const note = h("p.small.third", { "aria-live": "polite" });
    const radios = segments(words[risk], Object.entries(options), null, async (leave) => {
      fill(said);
      try {
        await change({ [risk]: leave });
        say(words.may(words[risk], options[leave]));
      } catch (error) {
        alarm(wrongIn(error));
        fill(said, h("p.form-said", { role: "alert" }, icon("alert", "i18"), h("span", wrongIn(error))));
        show(policy.value);
        refresh(policy);
      }
    });
    return {
      node: h("fieldset.policy", h("legend", h("strong", words[risk]), " ", h("span.small.third", words[`${risk}Help`])), radios, note),
      show: (now) => {
        const leave = shown(now[risk]);
        for (const radio of radios.querySelectorAll("input")) radio.checked = radio.value === leave;
        if (note.textContent !== says[leave]) fill(note, says[leave]);
      },
    };
  }

  /** The topic holds the version of what is shown: what somebody else changed meanwhile is not overwritten. */
  async function change(what) {
    await api("PUT", "/tags/policy", { body: { ...policy.value, ...what }, headers: { "If-Match": policy.tag } });
    await refresh(policy);
  }
}
