import { useSyncExternalStore } from "react";
import { store } from "../lib/device/storage";

export type Theme = "system" | "light" | "dark";

const KEY = "theme";
const listeners = new Set<() => void>();

/**
 * The chosen theme, an attribute of the root element: a script in the page's head sets
 * the stored one before the first paint.
 */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme, () => "system");
}

export function setTheme(theme: Theme): void {
  if (theme === "system") {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = theme;
  }
  store(KEY, theme);
  colourBrowser(theme);
  for (const listener of listeners) {
    listener();
  }
}

export function systemIsDark(): boolean {
  return window.matchMedia?.(DARK).matches ?? false;
}

const DARK = "(prefers-color-scheme: dark)";
/** The band's colour in each theme, as the page came. */
let bands: { light?: string; dark?: string } | undefined;

/** Gives the browser's own bar the colour of the band below it. */
export function colourBrowser(theme: Theme): void {
  const elements = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')];
  const themeOf = ({ media }: HTMLMetaElement) => (media === DARK ? "dark" : "light");
  bands ??= Object.fromEntries(elements.map((element) => [themeOf(element), element.content]));
  for (const element of elements) {
    element.content = bands[theme === "system" ? themeOf(element) : theme] ?? element.content;
  }
}

export function currentTheme(): Theme {
  const applied = document.documentElement.dataset.theme;
  return applied === "light" || applied === "dark" ? applied : "system";
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

if (typeof document !== "undefined") {
  colourBrowser(currentTheme());
}
