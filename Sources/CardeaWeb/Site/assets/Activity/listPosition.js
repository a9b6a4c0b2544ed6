// Where somebody was in the timeline: who comes back from an event finds the same rows at the same height.

export const listPosition = {
  /** The list's query, "?show=person". */
  search: "",
  /** Where the list was left for. */
  to: "",
  scroll: 0,
  /** The row that was opened. */
  key: "",
  /** What each source had. */
  feeds: [],
  heights: new Map(),
  /** Events that were deleted: no list shows them again. */
  gone: new Set(),
};

/** Whether this list was left for one of its events. */
export const isReturn = (search) => listPosition.search === search && listPosition.to.startsWith("/activity/") && listPosition.feeds.length > 0;
