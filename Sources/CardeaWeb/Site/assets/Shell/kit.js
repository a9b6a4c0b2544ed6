// What screens are made of, in one import: it is sent once, and every screen names it in one line. Home has its modules at hand and names them itself.

export * from "./ages.js";
export * from "./api.js";
export * from "./board.js";
export * from "./chrome.js";
export * from "./dialog.js";
export * from "./h.js";
export * from "./keyed.js";
export * from "./live.js";
export * from "./parts.js";
export * from "./text.js";
export * from "./time.js";
export { accept, session, signOut } from "../Sessions/session.js";
