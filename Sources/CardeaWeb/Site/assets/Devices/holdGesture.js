// The gesture that opens a door: holding opens; a tap arms, and a second tap opens. A double tap does not open.

const HOLD = 700, TAP = 300, DEAF = 400, ARMED = 10000;

/** Watches one button. It calls `holding()`, `rest()`, `armed()` and `fire()` of `on`. */
export function holdGesture(button, on) {
  let state = "rest", timer, since, byPointer, heard;

  const age = () => Date.now() - since;
  const inside = ({ clientX: x, clientY: y }) => {
    const box = button.getBoundingClientRect();
    return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  };

  function become(next) {
    clearTimeout(timer);
    state = next;
    since = Date.now();
    if (next === "armed") timer = setTimeout(become, ARMED, "rest");
    if (next === "holding") timer = setTimeout(become, HOLD, "fire");
    on[next]();
  }

  const release = () => state === "holding" && become("rest");

  const all = {
    pointerdown(event) {
      if (event.button || !event.isPrimary) return;
      byPointer = true;
      // Ignores clicks for a moment after arming, so that a double tap does not confirm.
      heard = state === "armed" && age() > DEAF;
      if (state === "rest") become("holding");
    },
    pointerup(event) {
      if (state === "holding") become(age() < TAP ? "armed" : "rest");
      else if (state === "armed" && heard && inside(event)) become("fire");
      heard = false;
    },
    pointermove: (event) => inside(event) || release(),
    pointerleave: release,
    pointercancel: release,
    // Keyboard and screen readers arrive as clicks without a pointer: the first arms, the second confirms.
    click() {
      if (!byPointer && state === "rest") become("armed");
      else if (!byPointer && state === "armed" && age() > DEAF) become("fire");
      byPointer = false;
    },
    keydown(event) {
      byPointer = false;
      if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
      if (event.key !== "Escape" || state !== "armed") return;
      event.stopPropagation();
      become("rest");
    },
    contextmenu: (event) => event.preventDefault(),
  };
  for (const name in all) button.addEventListener(name, all[name]);

  return {
    again: () => become("rest"),
    disarm: () => state === "armed" && age() > DEAF && become("rest"),
    stop() {
      clearTimeout(timer);
      for (const name in all) button.removeEventListener(name, all[name]);
    },
  };
}
