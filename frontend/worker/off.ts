/*
 * What a shop serves in the place of its service worker when it is started with
 * `--no-offline`: it forgets every copy and itself.
 */

const leaving = self as unknown as ServiceWorkerGlobalScope;

leaving.addEventListener("install", (event) => event.waitUntil(leaving.skipWaiting()));
leaving.addEventListener("activate", (event) => event.waitUntil(leave()));

async function leave() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("deals:")).map((name) => caches.delete(name)));
  await leaving.registration.unregister();
}
