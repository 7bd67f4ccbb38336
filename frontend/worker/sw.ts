/*
 * The service worker: a shop that was looked at opens again without a network. Files whose names
 * change with their bytes come from the device. Pages and the API's answers about them come
 * from the network, and from the last good copy where it does not answer. Nothing of accounts
 * or of the office is kept, and nothing that is sent is touched.
 *
 * Copies belong to the build that made them. Those of the build before stay, because its pages
 * name its files, so that no page ever runs with the files of another build.
 */

/** What the build puts in: which build this is, and the files of the visitor's screens. */
declare const BUILD: string;
declare const FILES: readonly string[];

const worker = self as unknown as ServiceWorkerGlobalScope;

/** Milliseconds to wait for the network where there is a copy. */
const PATIENCE = 3_000;
/** Copies of each kind; the one that was not asked for longest goes. */
const MOST = 150;
/** A page without content, which the app fills at any address. */
const SHELL = "/saved";

const FILE = /^\/(assets|mark)\//;
const PAGE = /^\/($|details\/|pages\/|saved$|search$)/;
const ANSWER = /^\/(product\/(get-products|facets|home|product\/|alike\/)|settings\/pages\/)/;
/** Screens that must see what is, and not what was. */
const OFFICE = /^\/(admin|add-product|update-product)/;

type Kind = "files" | "pages" | "answers";

const PREFIX = "deals:";
const nameOf = (kind: Kind) => `${PREFIX}${BUILD}:${kind}`;

/** The ids of pages that came through this worker, or that it found open: they are kept already. */
const known = new Set<string>();
/** When the oldest copy that a page was given was kept, by the page's id. */
const shown = new Map<string, number>();

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => {
  activated = activate();
  event.waitUntil(activated);
});

/** Done as soon as this worker has the pages that were open. */
let activated = Promise.resolve();

async function install() {
  await (await caches.open(nameOf("files"))).addAll([...FILES]);
  await keepPage("files", SHELL);
  await worker.skipWaiting();
}

async function activate() {
  // In the order in which they were made.
  const builds = new Set((await caches.keys()).filter(isOurs).map((name) => name.split(":")[1]));
  builds.delete(BUILD);
  const before = [...builds].at(-1);
  await forget((name) => ![BUILD, before].includes(name.split(":")[1]));
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
  // They came before there was somebody to keep them.
  const open = await worker.clients.matchAll({ type: "window" });
  await Promise.all(open.map(keepOpen));
}

/** Keeps a page that is open, once. */
async function keepOpen({ id, url }: Client) {
  if (!known.has(id) && PAGE.test(new URL(url).pathname)) {
    known.add(id);
    await keepPage("pages", url).catch(() => {});
  }
}

function isOurs(name: string): boolean {
  return name.startsWith(PREFIX);
}

async function forget(which: (name: string) => boolean) {
  const names = (await caches.keys()).filter(isOurs).filter(which);
  await Promise.all(names.map((name) => caches.delete(name)));
}

async function keepPage(kind: Kind, address: string) {
  const answer = await fetch(address, { headers: { accept: "text/html" } });
  if (!answer.ok || isFleeting(answer)) {
    throw new Error(`${address} is not to be kept`);
  }
  await keep(kind, address, answer);
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== worker.location.origin) {
    return;
  }
  if (request.method !== "GET") {
    if (pathname.startsWith("/user/logout")) {
      event.waitUntil(forget((name) => !name.endsWith(":files")));
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

function isOffice(referrer: string): boolean {
  return referrer !== "" && OFFICE.test(new URL(referrer).pathname);
}

/** The file from the device; its name says its bytes, so that any build's will do. */
async function fileOf(request: Request): Promise<Response> {
  const kept = await caches.match(request.url, { ignoreVary: true });
  if (kept) {
    return kept;
  }
  const answer = await fetch(request);
  if (answer.ok) {
    await keep("files", request.url, answer.clone());
  }
  return answer;
}

/** What the network answers, or else the last good copy. */
async function newest(event: FetchEvent, kind: Kind, client: string): Promise<Response> {
  const { request } = event;
  const network = ask(event, kind);
  event.waitUntil(network.catch(() => {}));
  const copy = await copyOf(kind, request.url);
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE, undefined));
  try {
    const answer = await (copy ? Promise.race([network, late]) : network);
    // A server that fails is none, for who has a copy.
    if (answer && (answer.status < 500 || !copy)) {
      tell(client, undefined);
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
  // Only who has a copy comes here.
  tell(client, Date.parse(copy?.headers.get("date") ?? "") || Date.now());
  return copy ?? Response.error();
}

/** Whether there are prices in it that may only be shown while they are fresh. */
function isFleeting(answer: Response): boolean {
  return answer.headers.get("cache-control") === "no-store";
}

/** The network's answer, which is kept when it is good; what is gone is forgotten. */
async function ask(event: FetchEvent, kind: Kind): Promise<Response> {
  const { request } = event;
  const answer: Response = (await event.preloadResponse) ?? (await fetch(request));
  if (isFleeting(answer)) {
    event.waitUntil(forgetCopies(request.url));
  } else if (answer.ok && !answer.redirected) {
    event.waitUntil(keep(kind, request.url, answer.clone()));
  } else if (answer.status === 404 || answer.status === 410) {
    event.waitUntil(forgetCopies(request.url));
  }
  return answer;
}

async function copyOf(kind: Kind, address: string): Promise<Response | undefined> {
  const own = await caches.match(address, { ignoreVary: true, cacheName: nameOf(kind) });
  // A page brings what it needs with it; an answer of another build may lack a field.
  return own ?? (kind === "pages" ? caches.match(address, { ignoreVary: true }) : undefined);
}

/** Keeps a copy; where there is no room for it, the shop works as without. */
async function keep(kind: Kind, address: string, answer: Response) {
  try {
    const cache = await caches.open(nameOf(kind));
    if (kind === "pages") {
      await keepAnswersIn(await answer.clone().text(), answer.headers.get("date") ?? "");
    }
    await cache.put(address, answer);
    const keys = kind === "files" ? [] : await cache.keys();
    await Promise.all(keys.slice(0, -MOST).map((key) => cache.delete(key)));
  } catch {
    // The quota is used up, or the answer broke off.
  }
}

/** Keeps the answers that a page brings with it: who comes back to it by a link asks for them. */
async function keepAnswersIn(page: string, date: string) {
  const [, served] = /<script id="served"[^>]*>(.*?)<\/script>/s.exec(page) ?? [];
  if (served === undefined) {
    return;
  }
  const { answers } = JSON.parse(served);
  for (const [address, answer] of Object.entries<object>(answers)) {
    await keep("answers", address, Response.json(answer, { headers: { date } }));
  }
}

/** Forgets what is gone; with a product go its page and its answer. */
async function forgetCopies(address: string) {
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

/** Tells a page since when the oldest of its copies is, or that it has none any more. */
async function tell(id: string, keptAt: number | undefined) {
  const before = shown.get(id);
  if (keptAt === undefined && before === undefined) {
    return;
  }
  if (keptAt === undefined) {
    shown.delete(id);
  } else {
    shown.set(id, Math.min(keptAt, before ?? keptAt));
  }
  (await worker.clients.get(id))?.postMessage(line(id));
}

/** What a page says of its copies. */
function line(id: string): string {
  const keptAt = shown.get(id);
  if (keptAt === undefined) {
    return "";
  }
  const at = new Date(keptAt);
  const today = at.toDateString() === new Date().toDateString();
  const time = at.toLocaleString("en-IN", {
    ...(today ? {} : { day: "numeric", month: "short" }),
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return `Offline: as of ${time}.`;
}

// A page asks when its app is there: it could not listen before.
worker.addEventListener("message", (event) => {
  const { source } = event;
  if (source instanceof Client) {
    source.postMessage(line(source.id));
    event.waitUntil(take(source));
  }
});

/**
 * Takes a page that was on its way while the worker started, and keeps it. It may be taken already:
 * such a page is claimed before it is listed.
 */
async function take(page: Client) {
  await activated;
  await worker.clients.claim();
  await keepOpen(page);
}
