// What a tap feels like in the hand, where the hand holds something that can be felt. Only taps: a button that is pressed is seen.

/** Two medium impacts, the second a fifth of a second after the first; and one for what came to nothing. */
const DONE = [60, 140, 60], REFUSED = [200];

export function feel(isDone) {
  // A browser lets no page shake a phone that nobody has touched since it was opened, and complains of one that tries.
  if (navigator.vibrate && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate(isDone ? DONE : REFUSED);
}
