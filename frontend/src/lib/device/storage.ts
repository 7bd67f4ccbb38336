import { useSyncExternalStore } from "react";

/** What could not be stored, because storage is switched off or full: it lives as long as the page. */
const unstored = new Map<string, string>();
const listeners = new Set<() => void>();

export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? unstored.get(key) ?? null;
  } catch {
    return unstored.get(key) ?? null;
  }
}

export function store(key: string, value: string | null): void {
  unstored.delete(key);
  try {
    if (value === null) {
      localStorage.removeItem(key);
    } else {
      localStorage.setItem(key, value);
    }
  } catch {
    if (value !== null) {
      unstored.set(key, value);
    }
  }
  for (const listener of listeners) {
    listener();
  }
}

/**
 * What is stored under a key, also when another tab changes it. While the page of
 * the server is taken over it is nothing, because the server could not know it.
 */
export function useStored(key: string): string | null {
  return useSyncExternalStore(
    subscribe,
    () => stored(key),
    () => null,
  );
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  window.addEventListener("storage", changed);
  return () => {
    listeners.delete(changed);
    window.removeEventListener("storage", changed);
  };
}
