// Keeps the page for when there is no network: all of it is a few files, which change together.
const KEPT = 'hotframe-VERSION';
const FILES = ['./', './manifest.webmanifest', './icon.svg'];

self.addEventListener('install', (event) => {
  const keep = async () => {
    // Past what the browser keeps itself, which may be of another version.
    const fresh = FILES.map((file) => new Request(file, { cache: 'reload' }));
    await (await caches.open(KEPT)).addAll(fresh);
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener('activate', (event) => {
  const forget = async () => {
    const others = (await caches.keys()).filter(
      (name) => name.startsWith('hotframe-') && name !== KEPT,
    );
    await Promise.all(others.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(forget());
});

self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  const answer = async () => {
    const kept = await caches.open(KEPT);
    // Whatever the server calls the page.
    const asked = event.request.mode === 'navigate' ? './' : event.request;
    return (await kept.match(asked, { ignoreSearch: true })) ?? fetch(event.request);
  };
  event.respondWith(answer());
});
