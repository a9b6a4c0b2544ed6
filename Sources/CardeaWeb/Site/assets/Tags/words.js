// The words of the tap page.

export const tags = {
  tap: "A tag was tapped",
  you: "You", where: "Where", what: "What",
  verbs: { unlock: "Unlock", open: "Open", lock: "Lock", close: "Close", stop: "Stop", on: "Switch on", off: "Switch off", toggle: "Switch", press: "Press" },
  change: "Change",
  doing: "Asking the house…",
  takeBack: (seconds) => `Take it back (${seconds})`,
  tookBack: "Taken back. Nothing was done.",
  done: (title) => `${title}: done.`,
  underWay: (title) => `${title}: under way.`,
  asks: "Somebody in the house is asked first.",
  nothing: "Nothing was done.",
  again: "Look again",
  home: "Go to the house",
  unread: "The tag could not be looked up.",
};
