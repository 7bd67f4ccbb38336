import { useMemo } from "react";
import { request } from "../client";
import type { Duplicates, Needing, Needs, Overview, Tasks } from "../types";
import { useCall } from "../use-call";

/** Returns the figures and steps; read again every so many milliseconds, if given. */
export function useOverview(refreshInterval = 0) {
  return useCall<Overview>("/report/overview", "Failed to load the figures", { refreshInterval });
}

export function useNeeds() {
  return useCall<Needs>("/report/needs", "Failed to load the to-do list");
}

type Counts = Record<string, number>;

/** Key in the storage of the tab: the day, and what was to check when work began, less what is done. */
const BEGUN = "to-check";

/**
 * Returns the number of products to look at by the key of their need, and their sum. They only fall while
 * somebody works in this tab: what comes meanwhile, like a picture that fails to load, is `fresh`.
 */
export function useToCheck() {
  const { data } = useNeeds();
  return useMemo(() => {
    const kinds: Counts = {};
    const fresh: Counts = {};
    const begun = data && readBegun();
    for (const { key, products } of data?.data ?? []) {
      const known = Math.min(products, begun ? (begun[key] ?? 0) : products);
      kinds[key] = known;
      fresh[key] = products - known;
    }
    if (data) {
      keepBegun(kinds);
    }
    return { kinds, fresh, total: sum(kinds), newly: sum(fresh) };
  }, [data]);
}

function sum(counts: Counts): number {
  return Object.values(counts).reduce((all, one) => all + one, 0);
}

function readBegun(): Counts | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(BEGUN) ?? "{}") as { day?: string; kinds?: Counts };
    return kept.day === new Date().toDateString() ? kept.kinds : undefined;
  } catch {
    return undefined;
  }
}

function keepBegun(kinds: Counts) {
  try {
    sessionStorage.setItem(BEGUN, JSON.stringify({ day: new Date().toDateString(), kinds }));
  } catch {
    // Without storage every count is of now.
  }
}

/** Returns the deals that most need a look. */
export function useTasks() {
  return useCall<Tasks>("/report/tasks", "Failed to load the to-do list");
}

/** Returns counted clicks of products on each of the last 30 days; products without clicks are left out. */
export function useTrends(ids: string[]) {
  const path = ids.length === 0 ? null : `/report/trends?ids=${ids.map(encodeURIComponent).join(",")}`;
  return useCall<Record<string, number[]>>(path, "Failed to load the clicks", { keepPreviousData: true });
}

/** Returns the products that a `view` of the overview lists, or nothing without one. */
export function useNeeding(view: string | null, page: number) {
  return useCall<Needing>(view && `/report/products?view=${view}&page=${page}`, "Failed to load products", {
    keepPreviousData: true,
  });
}

/** Returns a page of the groups of possible duplicates, or nothing without one. */
export function useDuplicates(page: number | null) {
  return useCall<Duplicates>(
    page === null ? null : `/report/duplicates?page=${page}`,
    "Failed to load products",
    {
      keepPreviousData: true,
    },
  );
}

/** Returns and changes whether clicks of this device are counted while nobody is signed in. */
export function useThisDevice() {
  const { data, mutate } = useOverview();
  return {
    counted: data?.deviceCounted,
    async count(deviceCounted: boolean) {
      if (data) {
        const change = async () => {
          await request<unknown>("/report/this-device", "The choice could not be saved", {
            method: "POST",
            body: { counted: deviceCounted },
          });
          return { ...data, deviceCounted };
        };
        await mutate(change(), { optimisticData: { ...data, deviceCounted }, revalidate: false });
      }
    },
  };
}

/** Sends a test mail to the administrator, and returns the address. */
export async function sendTestMail(): Promise<string> {
  const { to } = await request<{ to: string }>("/report/test-mail", "The mail could not be sent", {
    method: "POST",
    body: {},
  });
  return to;
}
