import { Monitor, Moon, Sun } from "lucide-react";
import { setTheme, THEMES, type Theme, useTheme } from "./theme";

const LOOKS = {
  system: { Icon: Monitor, name: "system" },
  light: { Icon: Sun, name: "light" },
  dark: { Icon: Moon, name: "dark" },
} as const;

/** Goes from the system's theme to light, to dark, and back. */
export function ThemeToggle({ className }: { className: string }) {
  const theme = useTheme();
  const next: Theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  const { Icon, name } = LOOKS[theme];
  return (
    <button
      type="button"
      className={`${className} noscript:hidden`}
      onClick={() => setTheme(next)}
      aria-label={`Theme: ${name}. Switch to ${LOOKS[next].name}`}
      title={`Theme: ${name}`}
    >
      <Icon aria-hidden size={20} strokeWidth={1.75} />
      <span aria-hidden className="wide:hidden">
        Theme
      </span>
    </button>
  );
}
