import { useServed } from "./use-served";

/** A page of the owner, or a text to begin one with. */
export interface OwnerPage {
  slug: string;
  title: string;
  /** Markdown. */
  text: string;
  html: string;
}

export function useOwnerPage(slug: string) {
  return useServed<OwnerPage>(`/settings/pages/${encodeURIComponent(slug)}`, "The page could not be loaded");
}
