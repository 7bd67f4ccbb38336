import { request } from "../client";
import type { Duplicates, Needing, Needs, Overview, Tasks } from "../types";
import { useCall } from "../use-call";

/** Returns the figures and steps; read again every so many milliseconds, if given. */
export function useOverview(refreshInterval = 0) {
  return useCall<Overview>("/report/overview", "Failed to load the figures", { refreshInterval });
}

export function useNeeds() {
  return useCall<Needs>("/report/needs", "Failed to load what is to do");
}

/** Returns the number of products to look at by the key of their need, and their sum. */
export function useToCheck() {
  const { data } = useNeeds();
  const kinds: Record<string, number> = {};
  let total = 0;
  for (const { key, products } of data?.data ?? []) {
    kinds[key] = products;
    total += products;
  }
  return { kinds, total };
}

/** Returns the deals that most need a look. */
export function useTasks() {
  return useCall<Tasks>("/report/tasks", "Failed to load what is to do");
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
