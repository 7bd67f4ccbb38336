// Mirrored by src/http/pages/layout.rs

import monitor from "icon:monitor";
import moon from "icon:moon";
import sun from "icon:sun";
import { Icon } from "../../ui/icon";
import { currentTheme, setTheme, systemIsDark, type Theme, useTheme } from "../theme";

const DRAWINGS = { system: monitor, light: sun, dark: moon } as const;

/** Goes from the system's theme to the other one, to the same by choice, and back. */
export function ThemeToggle({ className }: { className: string }) {
  const theme = useTheme();
  return (
    <button
      type="button"
      className={`${className} needs-script`}
      // As it is by now: it may have been pressed before the app was there.
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

/** The theme that comes next: the first press must change what is seen. */
function after(theme: Theme): Theme {
  const themes: Theme[] = systemIsDark() ? ["system", "light", "dark"] : ["system", "dark", "light"];
  return themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system";
}
