import useSWR from "swr";
import type { Shop } from "../shop/shop";
import { request } from "./client";
import type { OwnerPage } from "./owner-page";

/** What the owner can change. */
export interface ShopSettings {
  shop: Shop;
  /** The chosen colour, like #1a56b0. */
  accent: string | null;
  ownMark: boolean;
  /** The slugs of the pages that have a text to begin with. */
  drafts: string[];
  /** Names the settings as they were read. */
  version: number;
}

/** The colours that follow from an accent. */
export interface AccentColours {
  accent: string;
  accentBg: string;
  fill: string;
  fillStrong: string;
  onFill: string;
}

export type Palette = Record<"light" | "dark", AccentColours>;

const SETTINGS = "/settings";

function fetchPage(path: string): Promise<OwnerPage> {
  return request<OwnerPage>(path, "The page could not be loaded");
}

export function fetchOwnerPage(slug: string): Promise<OwnerPage> {
  return fetchPage(`${SETTINGS}/pages/${encodeURIComponent(slug)}`);
}

export function fetchDraft(slug: string): Promise<OwnerPage> {
  return fetchPage(`${SETTINGS}/drafts/${encodeURIComponent(slug)}`);
}

export function useSettings() {
  return useSWR<ShopSettings>(
    SETTINGS,
    (path: string) => request<ShopSettings>(path, "The settings could not be loaded"),
    // What is being changed must not change under the hands of whoever types.
    { revalidateOnFocus: false, revalidateOnReconnect: false },
  );
}

/** The colours of an accent like #1a56b0; none while it is not one. */
export function usePalette(accent: string) {
  const colour = /^#[0-9a-f]{6}$/i.test(accent) ? accent.slice(1).toLowerCase() : undefined;
  return useSWR<Palette>(colour === undefined ? null : `${SETTINGS}/palette/${colour}`, (path: string) =>
    request<Palette>(path, "The colours could not be loaded"),
  );
}

/** Changes some of the settings as they were read at `version`; another version answers 409. */
export function changeSettings(version: number, change: Record<string, unknown>): Promise<ShopSettings> {
  return request<ShopSettings>(SETTINGS, "The settings could not be saved", {
    method: "PUT",
    body: { version, ...change },
  });
}
