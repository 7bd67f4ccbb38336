import { store, stored } from "./storage";

const KEY = "recent-searches";
const MOST = 6;

export function recentSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(stored(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((entry) => typeof entry === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function rememberSearch(search: string): void {
  const others = recentSearches().filter((kept) => kept.toLowerCase() !== search.toLowerCase());
  store(KEY, JSON.stringify([search, ...others].slice(0, MOST)));
}

export function clearSearches(): void {
  store(KEY, null);
}
