// The WebSocket connection to the hub: events in order and without repetition. It reconnects by itself and continues from its cursor.

import { api } from "./api.js";

const FIRST = 500, LONGEST = 30000, PULSE = 20000, PATIENCE = 5000;
/** The session or the pass ended, or its rights changed. */
const ENDED = 4401;

/** `hears`: `up(anew)`, `snapshot(devices)`, `event({ type, data })`, `down(error, was)` with `was` true if it was up, `ended()`. */
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
      // The cursor follows received events only, so that a connection lost while catching up catches up again.
      after = message.seq;
      hears.event(message);
    }
    // Only a connection that lasts a while resets the wait: one that reads too slowly is closed again and again.
    if (message.type === "pong") tries = 0;
  }

  /** Scripts cannot see the hub's own pings, so the client pings too. */
  function check() {
    if (!subscribed) return;
    clearTimeout(patience);
    patience = setTimeout(drop, PATIENCE);
    socket.send('{"type":"ping"}');
  }

  function drop() {
    const one = socket;
    lost(0);
    // A socket that is still connecting is closed when it opens; earlier, the browser would report an error.
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
    // A random wait up to twice the last one, so that a house full of pages does not reconnect at one moment.
    timer = setTimeout(connect, Math.random() * Math.min(LONGEST, FIRST * 2 ** tries));
    tries += 1;
    hears.down(error, was);
  }

  return {
    get live() {
      return subscribed;
    },
    /** True if the hub was heard a moment ago; otherwise it is pinged. */
    fresh() {
      const fresh = subscribed && Date.now() - heardAt < PULSE + PATIENCE;
      if (!fresh) check();
      return fresh;
    },
    /** Connects at once: a ticket requested while offline may never be answered, and the earlier wait means nothing any more. */
    open() {
      wanted = true;
      asking = false;
      tries = 0;
      connect();
    },
    /** Closes and does not reconnect; `open` opens it again, `forget` drops the cursor. */
    close(forget) {
      wanted = asking = false;
      turn += 1;
      if (forget) after = null;
      drop();
    },
    drop,
  };
}
