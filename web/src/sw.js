// The shell works without a network, and a new version waits until the player takes it.
const CACHE = "screen-__VERSION__";
const FILES = __FILES__;

self.addEventListener("install", (event) => event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES))));
self.addEventListener("message", (event) => event.data === "take" && self.skipWaiting());
self.addEventListener("activate", (event) =>
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
      await self.clients.claim();
    })(),
  ),
);
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const ours = request.method === "GET" && url.origin === location.origin;
  if (!ours || /^\/(api|docs|admin|metrics|healthz)/.test(url.pathname)) return;
  event.respondWith(
    (async () => {
      const cache = await caches.open(CACHE);
      const hit = await cache.match(request.mode === "navigate" ? "/index.html" : request, { ignoreSearch: true });
      return hit ?? fetch(request);
    })(),
  );
});
