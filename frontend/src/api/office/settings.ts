import { request } from "../client";
import type { Home, OwnerPage, Palette, Section, ShopSettings } from "../types";
import { useCall } from "../use-call";

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
  // A refetch would overwrite what is being edited.
  const options = { revalidateOnFocus: false, revalidateOnReconnect: false };
  return useCall<ShopSettings>(SETTINGS, "The settings could not be loaded", options);
}

/** Returns the colours of an accent like #1a56b0; nothing for any other text. */
export function usePalette(accent: string) {
  const colour = /^#[0-9a-f]{6}$/i.test(accent) ? accent.slice(1).toLowerCase() : undefined;
  const path = colour === undefined ? null : `${SETTINGS}/palette/${colour}`;
  return useCall<Palette>(path, "The colours could not be loaded");
}

export function fetchPalette(accent: string): Promise<Palette> {
  return request<Palette>(`${SETTINGS}/palette/${accent.slice(1)}`, "The colours could not be loaded");
}

/** Changes some settings; answers 409 if they are no longer of `version`. */
export function changeSettings(version: number, change: Record<string, unknown>): Promise<ShopSettings> {
  return request<ShopSettings>(SETTINGS, "The settings could not be saved", {
    method: "PUT",
    body: { version, ...change },
  });
}

/** Returns what the home page would show with these sections; none for the usual page. */
export function previewFrontPage(frontPage: readonly Section[]): Promise<Home> {
  return request<Home>(`${SETTINGS}/front-page/preview`, "The preview could not be loaded", {
    method: "POST",
    body: { frontPage },
  });
}
