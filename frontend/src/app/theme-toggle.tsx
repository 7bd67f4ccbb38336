// Mirrored by src/http/pages/layout.rs

import monitor from "icon:monitor";
import moon from "icon:moon";
import sun from "icon:sun";
import { Icon } from "../ui/icon";
import { setTheme, THEMES, type Theme, useTheme } from "./theme";

const LOOKS = {
  system: { drawing: monitor, name: "system" },
  light: { drawing: sun, name: "light" },
  dark: { drawing: moon, name: "dark" },
} as const;

/** Goes from the system's theme to light, to dark, and back. */
export function ThemeToggle({ className }: { className: string }) {
  const theme = useTheme();
  const next: Theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  const { drawing, name } = LOOKS[theme];
  return (
    <button
      type="button"
      className={`${className} needs-script`}
      onClick={() => setTheme(next)}
      aria-label={`Theme: ${name}. Switch to ${LOOKS[next].name}`}
      title={`Theme: ${name}`}
    >
      <Icon of={drawing} />
      <span aria-hidden className="phone-only">
        Theme
      </span>
    </button>
  );
}
