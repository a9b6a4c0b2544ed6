// The position in the timeline. Back from an event, the list shows the same rows at the same height.

export const listPosition = {
  /** The list's query, "?show=person". */
  search: "",
  /** The page for which the list was left. */
  to: "",
  scroll: 0,
  /** The row that was opened. */
  key: "",
  /** The entries that each source had. */
  feeds: [],
  heights: new Map(),
  /** Events that were deleted: no list shows them again. */
  gone: new Set(),
};

/** True if the list was left for one of its events. */
export const isReturn = (search) => listPosition.search === search && listPosition.to.startsWith("/activity/") && listPosition.feeds.length > 0;
