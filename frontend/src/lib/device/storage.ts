import { useSyncExternalStore } from "react";

/** Values that could not be stored, because storage is disabled or full; lost with the page. */
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
 * Returns a stored value, updated also by other tabs. Null during hydration, because the
 * server does not know it.
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
