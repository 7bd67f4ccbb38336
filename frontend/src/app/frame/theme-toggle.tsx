import monitor from "icon:monitor";
import moon from "icon:moon";
import sun from "icon:sun";
import { themeButton, themeDark, themeLight, themeSystem } from "../../texts/en.json";
import { Icon } from "../../ui/icon";
import { currentTheme, setTheme, systemIsDark, type Theme, useTheme } from "../theme";

const THEMES = {
  system: [monitor, themeSystem],
  light: [sun, themeLight],
  dark: [moon, themeDark],
} as const;

/** Cycles through the system's theme, the other one, and the same one by choice. */
export function ThemeToggle({ className }: { className: string }) {
  const [drawing, label] = THEMES[useTheme()];
  return (
    <button
      type="button"
      className={`${className} needs-script`}
      // The stored theme: the button may have been pressed before hydration.
      onClick={() => setTheme(after(currentTheme()))}
      aria-label={label}
    >
      <Icon of={drawing} />
      <span aria-hidden className="phone-only">
        {themeButton}
      </span>
    </button>
  );
}

/** Returns the next theme; the first press must change what is seen. */
function after(theme: Theme): Theme {
  const themes: Theme[] = systemIsDark() ? ["system", "light", "dark"] : ["system", "dark", "light"];
  return themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system";
}
