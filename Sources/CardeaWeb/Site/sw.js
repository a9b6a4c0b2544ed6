// Caches the shell: pages, styles, modules, drawings. Answers of the hub and pictures are never cached.
// Its address holds its version, so a new hub is a new worker with a new cache.

const query = new URL(self.location.href).searchParams;
const version = query.get("v") || "0";
const guest = query.get("guest") === "1";
const cacheName = `cardea-${guest ? "guest-" : ""}${version}`;
const page = guest ? "/g" : "/";

const GUEST = [
  "/assets/mark.svg", "/assets/icons.svg", "/assets/Style/tokens.css", "/assets/Style/base.css", "/assets/GuestPage/guest.css",
  ..."page pass storage words".split(" ").map((name) => `/assets/GuestPage/${name}.js`),
  "/assets/Devices/holdGesture.js", "/assets/Shell/dom.js", "/assets/Shell/time.js", "/assets/Shell/serviceWorker.js",
];
const HOUSE = [
  "/assets/mark.svg", "/assets/icons.svg", "/assets/Style/tokens.css", "/assets/Style/base.css", "/assets/Style/house.css", "/assets/Mind/mind.css",
  ..."api app components connection dialog dom forms layout liveData qr reconcile relativeTime serviceWorker storage text theme time ui".split(" ").map((name) => `/assets/Shell/${name}.js`),
  ..."claim passkey password session sessionKey signin stepUp".split(" ").map((name) => `/assets/Sessions/${name}.js`),
  ..."commands device deviceGrid deviceKinds doorRow history holdGesture home mergeDevices plot room scenes sparkline summary tile".split(" ").map((name) => `/assets/Devices/${name}.js`),
  ..."askCards invite passRow passes schedule timeField".split(" ").map((name) => `/assets/Guests/${name}.js`),
  ..."entryRow feed list listPosition timelineRows timelineSearch timelineSources".split(" ").map((name) => `/assets/Activity/${name}.js`),
  ..."camera cameraEditor cameraView eventDetail eventPage eventRow snapshot words".split(" ").map((name) => `/assets/Events/${name}.js`),
  ..."people".split(" ").map((name) => `/assets/People/${name}.js`),
  ..."buttonEditor buttonGrid buttonModel newTag tagWriter tags tap words".split(" ").map((name) => `/assets/Tags/${name}.js`),
  ..."conversation interview memory mood shared twins whatIf".split(" ").map((name) => `/assets/Mind/${name}.js`),
  ..."auditProof pages".split(" ").map((name) => `/assets/Privacy/${name}.js`),
  ..."list push words".split(" ").map((name) => `/assets/Notices/${name}.js`),
  ..."account browser house integrations notices phones settings words".split(" ").map((name) => `/assets/Settings/${name}.js`),
];
const files = guest ? GUEST : HOUSE;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll([page, ...files].map((path) => new Request(path, { cache: "reload" })))));
});

// A new worker waits until the pages of the old one are closed, so it claims only pages of this version.
self.addEventListener("activate", (event) => {
  const mine = guest ? /^cardea-guest-/ : /^cardea-(?!guest-)/;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => mine.test(name) && name !== cacheName).map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin || url.pathname.startsWith("/api/")) return;
  if (event.request.mode === "navigate") {
    if (guest && url.pathname !== "/g") return;
    if (!guest && (url.pathname === "/g" || /\.\w+$/.test(url.pathname))) return;
    event.respondWith(navigate(event));
  } else if (files.includes(url.pathname)) {
    event.respondWith(asset(event));
  }
});

/** The hub's page while it answers, otherwise the cached one. A page of another version gets no cached file. */
async function navigate(event) {
  try {
    const answer = await fetch(event.request);
    if (answer.ok && event.resultingClientId) {
      const same = (await answer.clone().text()).includes(`name="cardea-version" content="${version}"`);
      if (!same) await (await caches.open(cacheName)).put(`/other-version/${event.resultingClientId}`, new Response(""));
    }
    return answer;
  } catch (error) {
    const kept = await caches.match(page, { cacheName });
    if (kept) return kept;
    throw error;
  }
}

// Push messages, encrypted for this browser. Their texts are made here. Browsers unsubscribe a worker that shows nothing for a message,
// so an unreadable message is shown as well.
const PUSH_TEXTS = {
  ask: "Somebody asks to be let in", ring: "Somebody rang", person: "Somebody is there", package: "A package", vehicle: "A vehicle",
  animal: "An animal", motion: "Something moved", danger: "Danger in the house",
};

self.addEventListener("push", (event) => {
  if (guest) return;
  let payload = {};
  try {
    payload = event.data.json() || {};
  } catch {
    payload = {};
  }
  const isRequest = payload.kind === "ask";
  const isUrgent = isRequest || payload.kind === "danger";
  event.waitUntil(self.registration.showNotification(payload.place || "Cardea", {
    body: payload.words || PUSH_TEXTS[payload.kind] || "Something happened", icon: "/assets/mark.svg", timestamp: Number(payload.at) || Date.now(),
    tag: String(payload.event_id || payload.command_id || "cardea"), requireInteraction: isUrgent,
    data: { path: isRequest ? "/guests" : payload.notice_id ? `/notices?notice=${encodeURIComponent(payload.notice_id)}` : "/notices" },
  }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = (event.notification.data && event.notification.data.path) || "/notices";
  event.waitUntil(self.clients.matchAll({ type: "window" }).then(async (pages) => {
    const page = pages.find((one) => new URL(one.url).pathname !== "/g");
    if (!page) return self.clients.openWindow(path);
    await page.navigate(path).catch(() => {});
    return page.focus();
  }));
});

const otherVersions = new Map();

/** True if a page is of another version: looked up once for each page, not for each file. */
function isOtherVersion(cache, client) {
  if (!otherVersions.has(client)) otherVersions.set(client, client ? cache.match(`/other-version/${client}`) : undefined);
  return otherVersions.get(client);
}

const opening = caches.open(cacheName);
const loaded = new Map();

/** A cached file, held in memory while this worker lives, so that it is read from disk once. */
async function asset(event) {
  const { pathname } = new URL(event.request.url);
  const cache = await opening;
  if (await isOtherVersion(cache, event.clientId)) return fetch(event.request);
  if (!loaded.has(pathname)) loaded.set(pathname, cache.match(pathname).then(async (kept) => kept && [await kept.arrayBuffer(), { headers: { "Content-Type": kept.headers.get("Content-Type") } }]));
  const file = await loaded.get(pathname);
  return file ? new Response(...file) : fetch(event.request);
}
