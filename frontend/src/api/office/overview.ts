import useSWR, { useSWRConfig } from "swr";
import { request } from "../client";
import type { ProductPage } from "../products";
import type { ReportRow } from "./reports";

/** A sum, and the one of the time before. */
export interface Compared {
  now: number;
  before: number;
}

/** A deal whose clicks rise or fall. */
export interface Mover extends Compared {
  _id: string;
  title: string;
  source: string;
  category: string;
  image: string;
  /** Counted clicks of each of the last 14 days. */
  days: number[];
}

/** Something to do in a new shop. */
export interface Step {
  key: string;
  title: string;
  hint: string;
  done: boolean;
}

/** What the owner sees first. */
export interface Overview {
  now: string;
  today: number;
  /** The hour until which the day is compared with yesterday; none before one is over. */
  until: number | null;
  day: Compared;
  week: Compared;
  days: ReportRow[];
  verdicts: ReportRow[];
  channels: ReportRow[];
  movers: Mover[];
  vain: { words: string; times: number }[];
  products: number;
  sources: number;
  setup: Step[];
  /** Whether clicks of this device are counted while nobody is signed in. */
  deviceCounted: boolean;
}

/** Something that needs a look. */
export interface Need {
  key: string;
  text: string;
  details: string;
}

const OVERVIEW = "/report/overview";

export function useOverview() {
  return useSWR<Overview>(OVERVIEW, (path: string) => request<Overview>(path, "Failed to load the figures"));
}

export function useNeeds() {
  return useSWR<{ data: Need[] }>("/report/needs", (path: string) =>
    request<{ data: Need[] }>(path, "Failed to load what needs a look"),
  );
}

/** Counted clicks of products on each of the last 30 days; those that were never clicked are not there. */
export function useTrends(ids: string[]) {
  const key = ids.length === 0 ? null : `/report/trends?ids=${ids.map(encodeURIComponent).join(",")}`;
  return useSWR<Record<string, number[]>>(
    key,
    (path: string) => request<Record<string, number[]>>(path, "Failed to load the clicks"),
    { keepPreviousData: true },
  );
}

/** The products that need a look, where a `view` is asked for. */
export function useNeeding(view: string | null, page: number) {
  return useSWR<ProductPage>(
    view && `/report/products?view=${view}&page=${page}`,
    (path: string) => request<ProductPage>(path, "Failed to load products"),
    { keepPreviousData: true },
  );
}

/** The first few products that answer a search. */
export function useProductsCalled(search: string) {
  const query = new URLSearchParams({ search, limit: "6", sortBy: "relevance" });
  return useSWR<ProductPage>(
    search === "" ? null : `/product/get-products?${query}`,
    (path: string) => request<ProductPage>(path, "Failed to load products"),
    { keepPreviousData: true },
  );
}

/** Whether clicks of this device are counted while nobody is signed in, and how to change that. */
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

/** Sends a mail to whoever is signed in, and gives the address. */
export async function sendTestMail(): Promise<string> {
  const { to } = await request<{ to: string }>("/report/test-mail", "The mail could not be sent", {
    method: "POST",
    body: {},
  });
  return to;
}

/** What may be shown of a seller's products. */
export interface SourceRules {
  preset: "open" | "amazon-india" | "own";
  showPrice: boolean;
  /** Hours. */
  priceMaxAge: number | null;
  showRatings: boolean;
  copyImages: boolean;
  history: boolean;
  alerts: boolean;
  checkLinks: boolean;
  disclosure: string;
}

/** A seller with its rules. */
export interface Source {
  source: string;
  products: number;
  rules: SourceRules;
  chosen: boolean;
  /** The preset that fits its programme, where that is known. */
  advice: SourceRules["preset"] | null;
  forbidden: string[];
}

interface Sources {
  data: Source[];
  version: number;
}

const SOURCES = "/settings/sources";

export function useSources() {
  return useSWR<Sources>(
    SOURCES,
    (path: string) => request<Sources>(path, "The sellers could not be loaded"),
    { revalidateOnFocus: false },
  );
}

/** Chooses what may be shown of a seller's products; another version answers 409. */
export function useSourceChanges() {
  const { mutate } = useSWRConfig();
  return async (version: number, source: string, rules: Partial<SourceRules>) => {
    await request<unknown>("/settings", "The rules could not be saved", {
      method: "PUT",
      body: { version, [`source.${source}`]: rules },
    });
    await mutate((key) => typeof key === "string" && (key === SOURCES || key.startsWith("/report/")));
  };
}
