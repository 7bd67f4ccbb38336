// Mirrored by src/http/pages/layout.rs

import monitor from "icon:monitor";
import moon from "icon:moon";
import sun from "icon:sun";
import { Icon } from "../../ui/icon";
import { currentTheme, setTheme, systemIsDark, type Theme, useTheme } from "../theme";

const DRAWINGS = { system: monitor, light: sun, dark: moon } as const;

/** Cycles through the system's theme, the other one, and the same one by choice. */
export function ThemeToggle({ className }: { className: string }) {
  const theme = useTheme();
  return (
    <button
      type="button"
      className={`${className} needs-script`}
      // The stored theme: the button may have been pressed before hydration.
      onClick={() => setTheme(after(currentTheme()))}
      aria-label={`Theme: ${theme}`}
    >
      <Icon of={DRAWINGS[theme]} />
      <span aria-hidden className="phone-only">
        Theme
      </span>
    </button>
  );
}

/** Returns the next theme; the first press must change what is seen. */
function after(theme: Theme): Theme {
  const themes: Theme[] = systemIsDark() ? ["system", "light", "dark"] : ["system", "dark", "light"];
  return themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system";
}
