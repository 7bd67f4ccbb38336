/*
 * The service worker: pages that were visited open without a network. Files with hashed names are
 * cache first; pages and their API answers are network first, with the last good copy as a
 * fallback. Nothing of accounts or of the office is cached. Of other requests than GET, only what apps
 * share is handled: it is kept until it is added.
 *
 * Caches belong to a build. Those of the previous build stay, because its pages name its files, so
 * that no page runs with the files of another build.
 */

import { offlineAsOf } from "../src/texts/en.json";
import { fill } from "../src/texts/fill";

/** Defined by the build: its id, and the files of the visitors' screens. */
declare const BUILD: string;
declare const FILES: readonly string[];

const worker = self as unknown as ServiceWorkerGlobalScope;

/** Milliseconds to wait for the network if there is a copy. */
const NETWORK_TIMEOUT = 3_000;
/** Maximum number of copies of each kind; the least recently fetched is removed. */
const MAX_COPIES = 150;
/** Page without content, which the app renders at any address. */
const SHELL = "/saved";

const FILE = /^\/(assets|mark)\//;
const PAGE = /^\/($|category\/|collection\/|details\/|pages\/|saved$|search$|seller\/)/;
const ANSWER = /^\/(product\/(get-products|facets|home|product\/|alike\/|shelf\/)|settings\/pages\/)/;
/** Screens that must not see copies. */
const OFFICE = /^\/(admin|add-product|update-product)/;

/** Target of the system's share sheet, as the manifest names it. */
const SHARE = "/shared-deal";
/** Cache of shared deals, which the form empties (product/form/capture/waiting.ts). */
const SHARED = "shared-deals";
const MAX_SHARED = 50;
/** Maximum number of photos of a shared deal. */
const MAX_PHOTOS = 5;
/** Milliseconds to wait for the network while a photo is sent. */
const PHOTO_TIMEOUT = 30_000;

type CacheKind = "files" | "pages" | "answers";

const PREFIX = "deals:";
const nameOf = (kind: CacheKind) => `${PREFIX}${BUILD}:${kind}`;

/** Ids of clients whose page is cached already. */
const known = new Set<string>();
/** Time of the oldest copy that each client was given, by its id. */
const shown = new Map<string, number>();

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => {
  activated = activate();
  event.waitUntil(activated);
});

/** Resolves when this worker controls the open pages. */
let activated = Promise.resolve();

async function install() {
  await (await caches.open(nameOf("files"))).addAll([...FILES]);
  await cachePage("files", SHELL);
  await worker.skipWaiting();
}

async function activate() {
  // In the order of their creation.
  const builds = new Set((await caches.keys()).filter(isOurs).map((name) => name.split(":")[1]));
  builds.delete(BUILD);
  const before = [...builds].at(-1);
  await removeCaches((name) => ![BUILD, before].includes(name.split(":")[1]));
  // Workers of former builds enabled it. In Firefox, a preload without a network ends the navigation.
  await worker.registration.navigationPreload?.disable();
  await worker.clients.claim();
  // Pages that were loaded before this worker.
  const open = await worker.clients.matchAll({ type: "window" });
  await Promise.all(open.map(cacheOpen));
}

/** Caches an open page, once. */
async function cacheOpen({ id, url }: Client) {
  if (!known.has(id) && PAGE.test(new URL(url).pathname)) {
    known.add(id);
    await cachePage("pages", url).catch(() => {});
  }
}

function isOurs(name: string): boolean {
  return name.startsWith(PREFIX);
}

async function removeCaches(which: (name: string) => boolean) {
  const names = (await caches.keys()).filter(isOurs).filter(which);
  await Promise.all(names.map((name) => caches.delete(name)));
}

async function cachePage(kind: CacheKind, address: string) {
  const answer = await fetch(address, { headers: { accept: "text/html" } });
  if (!answer.ok || isUncacheable(answer)) {
    throw new Error(`${address} must not be cached`);
  }
  await cachePut(kind, address, answer);
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== worker.location.origin) {
    return;
  }
  if (request.method !== "GET") {
    if (pathname === SHARE) {
      event.respondWith(takeShared(request));
    }
    if (pathname.startsWith("/user/logout")) {
      event.waitUntil(removeCaches((name) => !name.endsWith(":files")));
    }
    return;
  }
  if (FILE.test(pathname)) {
    event.respondWith(fileOf(request));
  } else if (request.mode === "navigate") {
    known.add(event.resultingClientId);
    if (PAGE.test(pathname)) {
      event.respondWith(newest(event, "pages", event.resultingClientId));
    }
  } else if (ANSWER.test(pathname) && !isOffice(request.referrer)) {
    event.respondWith(newest(event, "answers", event.clientId));
  }
});

/**
 * Keeps a shared deal on the device until it is added, and opens the form if there is a network. The
 * server is asked first: it refuses what another site's page posts.
 */
async function takeShared(request: Request): Promise<Response> {
  const form = await request.clone().formData();
  const texts = [...form].filter((field): field is [string, string] => typeof field[1] === "string");
  const photos = form.getAll("photo").filter((photo) => photo instanceof File && photo.size > 0);
  // Without options, which would make it a request of this worker, and hide the site that it is of.
  const network = fetch(request).catch(() => undefined);
  const answer = await Promise.race([network, late(photos.length > 0 ? PHOTO_TIMEOUT : NETWORK_TIMEOUT)]);
  if (answer && answer.status >= 400 && answer.status < 500) {
    return answer;
  }
  for (const photo of photos.slice(0, MAX_PHOTOS)) {
    const id = crypto.randomUUID();
    if (await keep(`/photo/${id}`, new Response(photo))) {
      texts.push(["photo", id]);
    }
  }
  const fields = new URLSearchParams(texts).toString();
  const kept = await keep(`/?${fields}`, new Response());
  if (answer && answer.status < 500) {
    // The server does not know of photos.
    return photos.length > 0 ? Response.redirect(`/add-product#${fields}`, 303) : answer;
  }
  return page(
    kept
      ? "There is no network. The deal is kept on this device and waits under Add product."
      : "There is no network, and this device has no room left to keep the deal. Share it again later.",
    `/add-product#${fields}`,
  );
}

/** Keeps a shared deal or photo; returns false if there is no room. Those that wait are never pushed out. */
async function keep(key: string, value: Response): Promise<boolean> {
  try {
    const cache = await caches.open(SHARED);
    const isFull = (await cache.keys()).length >= MAX_SHARED;
    if (!isFull) {
      await cache.put(key, value);
    }
    return !isFull;
  } catch {
    return false; // The quota is used up.
  }
}

/** Resolves when the network has had its time. */
function late(time = NETWORK_TIMEOUT): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, time, undefined));
}

/** Returns a page without scripts, which says one sentence. */
function page(sentence: string, form: string): Response {
  const link = form.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const html = `<!doctype html><html lang="en-IN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>No network</title><main><h1>No network</h1><p>${sentence}</p><p><a href="${link}">Open the form</a></p></main></html>`;
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    },
  });
}

function isOffice(referrer: string): boolean {
  return referrer !== "" && OFFICE.test(new URL(referrer).pathname);
}

/** Returns a file from any build's cache: its name has the hash of its content. */
async function fileOf(request: Request): Promise<Response> {
  const copy = await caches.match(request.url, { ignoreVary: true });
  if (copy) {
    return copy;
  }
  const answer = await fetch(request);
  if (answer.ok) {
    await cachePut("files", request.url, answer.clone());
  }
  return answer;
}

/** Returns the network's answer, or else the last good copy. */
async function newest(event: FetchEvent, kind: CacheKind, client: string): Promise<Response> {
  const { request } = event;
  const network = ask(event, kind);
  event.waitUntil(network.catch(() => {}));
  const copy = await copyOf(kind, request.url);
  try {
    const answer = await (copy ? Promise.race([network, late()]) : network);
    // With a copy, a failing server counts as no network.
    if (answer && (answer.status < 500 || !copy)) {
      notify(client, undefined);
      return answer;
    }
  } catch (failure) {
    const shell = kind === "pages" && !copy && (await caches.match(SHELL, { ignoreVary: true }));
    if (shell) {
      return shell;
    }
    if (!copy) {
      throw failure;
    }
  }
  // There is a copy.
  notify(client, Date.parse(copy?.headers.get("date") ?? "") || Date.now());
  return copy ?? Response.error();
}

/** Returns true for prices that may only be shown while they are fresh. */
function isUncacheable(answer: Response): boolean {
  return answer.headers.get("cache-control") === "no-store";
}

/** Fetches and caches an answer; removes the copies of what is gone. */
async function ask(event: FetchEvent, kind: CacheKind): Promise<Response> {
  const { request } = event;
  const answer = await fetch(request);
  if (isUncacheable(answer)) {
    event.waitUntil(removeCopies(request.url));
  } else if (answer.ok && !answer.redirected) {
    event.waitUntil(cachePut(kind, request.url, answer.clone()));
  } else if (answer.status === 404 || answer.status === 410) {
    event.waitUntil(removeCopies(request.url));
  }
  return answer;
}

async function copyOf(kind: CacheKind, address: string): Promise<Response | undefined> {
  const own = await caches.match(address, { ignoreVary: true, cacheName: nameOf(kind) });
  // Pages of another build carry their data; its answers may lack a field.
  return own ?? (kind === "pages" ? caches.match(address, { ignoreVary: true }) : undefined);
}

/** Caches an answer, if there is room. */
async function cachePut(kind: CacheKind, address: string, answer: Response) {
  try {
    const cache = await caches.open(nameOf(kind));
    if (kind === "pages") {
      await cacheAnswersIn(await answer.clone().text(), answer.headers.get("date") ?? "");
    }
    await cache.put(address, answer);
    const keys = kind === "files" ? [] : await cache.keys();
    await Promise.all(keys.slice(0, -MAX_COPIES).map((key) => cache.delete(key)));
  } catch {
    // The quota is used up, or the connection was lost.
  }
}

/** Caches the answers embedded in a page, which the app requests when it comes back by a link. */
async function cacheAnswersIn(page: string, date: string) {
  const [, data] = /<script id="served"[^>]*>(.*?)<\/script>/s.exec(page) ?? [];
  if (data === undefined) {
    return;
  }
  const { answers } = JSON.parse(data);
  for (const [address, answer] of Object.entries<object>(answers)) {
    await cachePut("answers", address, Response.json(answer, { headers: { date } }));
  }
}

/** Removes the copies of an address; for a product, both page and answer. */
async function removeCopies(address: string) {
  const addresses = [
    address,
    address.replace("/details/", "/product/product/"),
    address.replace("/product/product/", "/details/"),
  ];
  for (const name of (await caches.keys()).filter(isOurs)) {
    const cache = await caches.open(name);
    await Promise.all(addresses.map((each) => cache.delete(each, { ignoreVary: true })));
  }
}

/** Notifies a page of the time of its oldest copy, or that it has none any more. */
async function notify(id: string, copiedAt: number | undefined) {
  const before = shown.get(id);
  if (copiedAt === undefined && before === undefined) {
    return;
  }
  if (copiedAt === undefined) {
    shown.delete(id);
  } else {
    shown.set(id, Math.min(copiedAt, before ?? copiedAt));
  }
  (await worker.clients.get(id))?.postMessage(line(id));
}

function line(id: string): string {
  const copiedAt = shown.get(id);
  if (copiedAt === undefined) {
    return "";
  }
  const timeZone = "Asia/Kolkata"; // The shop's, as everywhere on its pages.
  const day = (time: number) => new Date(time).toLocaleDateString("en-IN", { timeZone });
  const time = new Date(copiedAt).toLocaleString("en-IN", {
    timeZone,
    ...(day(copiedAt) === day(Date.now()) ? {} : { day: "numeric", month: "short" }),
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return fill(offlineAsOf, { time });
}

// An alert: its words are the server's.
worker.addEventListener("push", (event) => {
  const { title, body, tag, url } = event.data?.json() ?? {};
  const options = { body, tag, data: url, icon: "/icon/192.png" };
  event.waitUntil(worker.registration.showNotification(title, options));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(worker.clients.openWindow(event.notification.data));
});

// A page asks after hydration: it could not listen before.
worker.addEventListener("message", (event) => {
  const { source } = event;
  if (source instanceof Client) {
    source.postMessage(line(source.id));
    event.waitUntil(take(source));
  }
});

/**
 * Claims and caches a page that was loading while the worker started. It may be claimed already:
 * such a page is claimed before it is listed.
 */
async function take(page: Client) {
  await activated;
  await worker.clients.claim();
  await cacheOpen(page);
}
