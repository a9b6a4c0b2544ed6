// One line to the hub, over which it tells what happens, in order and each thing once. It comes back by itself from where it was.

import { api } from "./api.js";

const FIRST = 500, LONGEST = 30000, PULSE = 20000, PATIENCE = 5000;
/** The session or the pass ended, or its rights changed. */
const ENDED = 4401;

/** `hears`: `up(anew)`, `snapshot(devices)`, `event({ type, data })`, `down(error, was)` with whether it was there, `ended()`. */
export function createConnection(hears) {
  let wanted = false, socket = null, turn = 0, asking = false, subscribed = false;
  let after = null, tries = 0, timer = 0, pulse = 0, patience = 0, heardAt = 0;

  async function connect() {
    clearTimeout(timer);
    if (!wanted || socket || asking) return;
    const mine = (turn += 1);
    asking = true;
    let ticket, failure;
    try {
      ({ ticket } = await api("POST", "/realtime/ticket"));
    } catch (error) {
      failure = error;
    }
    if (mine !== turn) return;
    asking = false;
    if (failure) return lost(0, failure);
    const one = (socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/v1/realtime`));
    patience = setTimeout(drop, 2 * PATIENCE);
    one.onopen = () => one.send(JSON.stringify({ type: "subscribe", ticket, after }));
    one.onmessage = ({ data }) => one === socket && hear(JSON.parse(data));
    one.onclose = ({ code }) => one === socket && lost(code);
  }

  function hear(message) {
    heardAt = Date.now();
    clearTimeout(patience);
    if (message.type === "subscribed") {
      subscribed = true;
      clearInterval(pulse);
      pulse = setInterval(check, PULSE);
      hears.up(after === null);
    } else if (message.type === "gap") hears.up(true);
    else if (message.type === "snapshot") {
      after = message.seq;
      hears.snapshot(message.devices);
    } else if (message.data) {
      // The cursor follows what was heard and nothing else, so that a line lost while catching up catches up again.
      after = message.seq;
      hears.event(message);
    }
    // Good for a while, not only for a moment: a reader too slow is sent away again and again.
    if (message.type === "pong") tries = 0;
  }

  /** No script sees the hub's own pings, so we ask whether it is still there. */
  function check() {
    if (!subscribed) return;
    clearTimeout(patience);
    patience = setTimeout(drop, PATIENCE);
    socket.send('{"type":"ping"}');
  }

  function drop() {
    const one = socket;
    lost(0);
    // One that is still on its way is hung up when it arrives; before, the browser would call it a failure.
    if (one && one.readyState === WebSocket.CONNECTING) one.onopen = () => one.close();
    else if (one) one.close();
  }

  function lost(code, error) {
    clearInterval(pulse);
    clearTimeout(patience);
    clearTimeout(timer);
    const was = subscribed;
    socket = null;
    subscribed = false;
    if (!wanted) return;
    if (code === ENDED) hears.ended();
    // Anywhere up to twice the last wait: a house full of pages does not come back in one moment.
    timer = setTimeout(connect, Math.random() * Math.min(LONGEST, FIRST * 2 ** tries));
    tries += 1;
    hears.down(error, was);
  }

  return {
    get live() {
      return subscribed;
    },
    /** True when the hub was heard a moment ago; else it is asked. */
    fresh() {
      const fresh = subscribed && Date.now() - heardAt < PULSE + PATIENCE;
      if (!fresh) check();
      return fresh;
    },
    /** At once: a ticket that was asked for while nothing could be reached may never be answered, and how long was waited before says nothing any more. */
    open() {
      wanted = true;
      asking = false;
      tries = 0;
      connect();
    },
    /** Hangs up and does not come back; `open` takes it up again, `forget` says not from where it was. */
    close(forget) {
      wanted = asking = false;
      turn += 1;
      if (forget) after = null;
      drop();
    },
    drop,
  };
}
