import { useSyncExternalStore } from "react";
import { store } from "../lib/storage";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "theme";
const listeners = new Set<() => void>();

/**
 * The chosen theme, which the root element carries: a script in the page's head has
 * put the stored one there before the first paint.
 */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme, () => "system");
}

/** Applies a theme and remembers it. */
export function setTheme(theme: Theme): void {
  if (theme === "system") {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = theme;
  }
  store(KEY, theme);
  for (const listener of listeners) {
    listener();
  }
}

function currentTheme(): Theme {
  const applied = document.documentElement.dataset.theme;
  return THEMES.find((theme) => theme === applied) ?? "system";
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}
