import useSWR from "swr";
import { deleteDraft } from "../draft";

/** Cache in which the service worker keeps shared deals (frontend/worker/sw.ts). */
const SHARED = "shared-deals";
const PLAIN = "draft:add-product";
/** Draft of a deal from outside: each has its own, followed by its fields. */
const CAPTURED = `${PLAIN}?`;

/** Returns the name of the draft of a new deal, which came from outside if it has fields. */
export function draftOf(fields: string): string {
  return fields === "" ? PLAIN : CAPTURED + fields;
}

/** Returns the fields of the deals from outside that wait on this device, the newest first. */
export function useWaitingDeals() {
  return useSWR("waiting-deals", async () => {
    const typed = storedNames().filter((name) => name.startsWith(CAPTURED));
    const all = [...(await sharedDeals()), ...typed.map((name) => name.slice(CAPTURED.length))];
    return [...new Set(all)].reverse();
  });
}

/** Returns a photo that was shared with a deal, until it is forgotten. */
export async function sharedPhoto(id: string): Promise<File | undefined> {
  const cache = await shared();
  const kept = await cache?.match(photoKey(id));
  return (
    kept &&
    new File([await kept.blob()], "The shared photo", {
      type: kept.headers.get("content-type") ?? "",
    })
  );
}

/** Removes a shared photo. */
export async function forgetPhoto(id: string): Promise<void> {
  await (await shared())?.delete(photoKey(id));
}

/** As the service worker names it. */
function photoKey(id: string): string {
  return `/photo/${encodeURIComponent(id)}`;
}

/** Removes a deal and what was typed into its form. */
export async function forgetDeal(fields: string): Promise<void> {
  deleteDraft(draftOf(fields));
  if (fields !== "") {
    await (await shared())?.delete(`/?${fields}`);
    await Promise.all(new URLSearchParams(fields).getAll("photo").map(forgetPhoto));
  }
}

function storedNames(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

async function sharedDeals(): Promise<string[]> {
  const keys = (await (await shared())?.keys()) ?? [];
  return keys.map(({ url }) => new URL(url).search.slice(1)).filter(Boolean);
}

/** Browsers have caches only over https and on localhost. */
async function shared(): Promise<Cache | undefined> {
  return "caches" in window ? caches.open(SHARED).catch(() => undefined) : undefined;
}
