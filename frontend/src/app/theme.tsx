import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { store, stored } from "../lib/storage";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "theme";

const ThemeContext = createContext<{ theme: Theme; setTheme: (theme: Theme) => void }>({
  theme: "system",
  setTheme: () => undefined,
});

export function useTheme() {
  return useContext(ThemeContext);
}

/**
 * Keeps the chosen theme on the root element and in local storage. A script in
 * the page's head applies the stored one before the first paint.
 */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const [theme, setState] = useState<Theme>(readTheme);
  const setTheme = useCallback((chosen: Theme) => {
    setState(chosen);
    if (chosen === "system") {
      delete document.documentElement.dataset.theme;
    } else {
      document.documentElement.dataset.theme = chosen;
    }
    store(KEY, chosen);
  }, []);
  const value = useMemo(() => ({ theme, setTheme }), [theme, setTheme]);
  return <ThemeContext value={value}>{children}</ThemeContext>;
}

function readTheme(): Theme {
  const kept = stored(KEY);
  return THEMES.find((theme) => theme === kept) ?? "system";
}
