// The service worker that keeps the shell, registered with the version this page was made with.

/** `scope` is where it works; `more` goes into its address. Browsers that cannot, go without. */
export function register(scope, more = "") {
  if (!navigator.serviceWorker) return;
  const url = `/sw.js?v=${document.querySelector("meta[name=cardea-version]").content}${more}`;
  // Trusted Types guard this address too; it is made of our own words and the hub's version alone.
  const trusted = window.trustedTypes ? trustedTypes.createPolicy("cardea", { createScriptURL: (x) => x }).createScriptURL(url) : url;
  navigator.serviceWorker.register(trusted, { scope }).catch(() => {});
}
