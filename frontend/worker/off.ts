/*
 * Replaces the service worker under `--no-offline`: removes all copies and unregisters.
 */

const leaving = self as unknown as ServiceWorkerGlobalScope;

leaving.addEventListener("install", (event) => event.waitUntil(leaving.skipWaiting()));
leaving.addEventListener("activate", (event) => event.waitUntil(leave()));

async function leave() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("deals:")).map((name) => caches.delete(name)));
  await leaving.registration.unregister();
}
