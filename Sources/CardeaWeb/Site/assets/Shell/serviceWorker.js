// Registers the service worker that caches the shell, with the version of this page.

/** `scope` is its scope; `more` is added to its address. Browsers without service workers go without. */
export function register(scope, more = "") {
  if (!navigator.serviceWorker) return;
  const url = `/sw.js?v=${document.querySelector("meta[name=cardea-version]").content}${more}`;
  // Trusted Types guard this address too; it consists of our own words and the hub's version.
  const trusted = window.trustedTypes ? trustedTypes.createPolicy("cardea", { createScriptURL: (x) => x }).createScriptURL(url) : url;
  navigator.serviceWorker.register(trusted, { scope }).catch(() => {});
}
