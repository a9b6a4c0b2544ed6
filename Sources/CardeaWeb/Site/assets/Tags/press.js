// Presses a button and brings back what became of it. Asked is not done, and the same press is never two.

import { api, HubError, newKey } from "../Shell/kit.js";
import { buttons as words } from "./words.js";
import { isSent, wrongIn } from "./buttons.js";

/** For whoever stands there now: nothing is sent again after this. What the hub has is asked about for as long as a garage door takes. */
const PATIENCE = 10000, WAY = 65000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** `{ kind: success | sent | unsure | failure, words, error }` */
export async function press(button) {
  const key = newKey(), began = Date.now();
  for (;;) {
    try {
      const { status } = await api("POST", `/buttons/${encodeURIComponent(button.button_id)}/press`, { key });
      return status === "confirmed" ? { kind: "success", words: words.done } : { kind: "sent", words: status === "accepted" ? words.asks : words.underWay };
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      const left = error.offline ? PATIENCE : error.code === "in_flight" ? WAY : 0;
      if (Date.now() - began > left) return outcome(button, error);
      await pause(700);
    }
  }
}

function outcome(button, error) {
  const reason = String((error.details && error.details.reason) || "");
  if (error.offline || error.code === "in_flight") return { kind: "unsure", words: words.lost, error };
  if (error.code === "outcome_unknown") return isSent(button) && reason === "no_report" ? { kind: "sent", words: words.sent } : { kind: "unsure", words: words.unsure, error };
  const [what, more] = reason.split(": ");
  const why = words.reasons[what] ? words.reason(words.reasons[what], more) : /jam/.test(`${reason} ${error.message}`) ? words.jammed : wrongIn(error);
  return { kind: "failure", words: words.failed(why), error };
}
