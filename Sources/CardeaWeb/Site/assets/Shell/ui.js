// The shell's modules in one import: it is sent once, and every screen names it in one line. Home imports them directly.

export * from "./relativeTime.js";
export * from "./api.js";
export * from "./forms.js";
export * from "./layout.js";
export * from "./dialog.js";
export * from "./dom.js";
export * from "./reconcile.js";
export * from "./liveData.js";
export * from "./components.js";
export * from "./text.js";
export * from "./time.js";
export { accept, session, signOut } from "../Sessions/session.js";
