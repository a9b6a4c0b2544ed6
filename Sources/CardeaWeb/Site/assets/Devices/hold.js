// The gesture that opens a door: holding opens; a tap only arms, and a second one opens. A double tap opens nothing.

const HOLD = 700, TAP = 300, DEAF = 400, ARMED = 10000;

/** Watches one button. `on` is told `holding()`, `rest()`, `armed()`, `fire()`. */
export function hold(button, on) {
  let state = "rest";
  let timer = 0;
  let since = 0;
  let byPointer = false;
  let heard = false;

  const inside = ({ clientX: x, clientY: y }) => {
    const box = button.getBoundingClientRect();
    return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  };

  function become(next) {
    clearTimeout(timer);
    state = next;
    since = Date.now();
    if (next === "armed") {
      timer = setTimeout(() => become("rest"), ARMED);
      on.armed();
    } else if (next === "holding") {
      timer = setTimeout(fire, HOLD);
      on.holding();
    } else if (next === "rest") {
      on.rest();
    }
  }

  function fire() {
    clearTimeout(timer);
    if (state === "fired") return;
    state = "fired";
    on.fire();
  }

  function down(event) {
    if (event.button !== 0 || !event.isPrimary || state === "fired") return;
    byPointer = true;
    // Deaf for a moment after arming: the second half of a double tap is not a yes.
    heard = state === "armed" && Date.now() - since > DEAF;
    if (state === "rest") become("holding");
  }

  function up(event) {
    if (state === "holding") become(Date.now() - since < TAP ? "armed" : "rest");
    else if (state === "armed" && heard && inside(event)) fire();
    heard = false;
  }

  function away(event) {
    if (state === "holding" && !inside(event)) become("rest");
  }

  function cancel() {
    if (state === "holding") become("rest");
  }

  // Keyboard and screen readers arrive as clicks without a pointer: the first arms, the second confirms.
  function click() {
    if (byPointer) {
      byPointer = false;
      return;
    }
    if (state === "rest") become("armed");
    else if (state === "armed" && Date.now() - since > DEAF) fire();
  }

  function key(event) {
    byPointer = false;
    if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
    if (event.key === "Escape" && state === "armed") {
      event.stopPropagation();
      become("rest");
    }
  }

  const noMenu = (event) => event.preventDefault();
  const all = { pointerdown: down, pointerup: up, pointermove: away, pointerleave: cancel, pointercancel: cancel, click, keydown: key, contextmenu: noMenu };
  for (const [name, listener] of Object.entries(all)) button.addEventListener(name, listener);

  return {
    disarm() {
      if (state === "armed" && Date.now() - since > DEAF) become("rest");
    },
    stop() {
      clearTimeout(timer);
      for (const [name, listener] of Object.entries(all)) button.removeEventListener(name, listener);
    },
  };
}
