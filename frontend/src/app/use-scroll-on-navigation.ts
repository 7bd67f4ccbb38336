import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router-dom";

const KEPT = "scroll-positions";

/** How far each entry of the history was scrolled when it was left, by its id. */
const leftAt = new Map<string, number>(readKept());

function readKept(): [string, number][] {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "[]") as [string, number][];
  } catch {
    return [];
  }
}

function keep(): void {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify([...leftAt]));
  } catch {
    // Without storage, a reload forgets the places.
  }
}

/**
 * Scrolls as a browser would between pages: a new screen begins at its top, and the
 * way back leads to where it was left. A navigation with `keepScroll` in its state
 * stays where it is. Loading and reloading are left to the browser itself.
 */
export function useScrollOnNavigation(): void {
  const { key, state } = useLocation();
  const type = useNavigationType();
  const shown = useRef(key);

  useEffect(() => {
    const remember = () => leftAt.set(key, window.scrollY);
    window.addEventListener("scroll", remember, { passive: true });
    return () => window.removeEventListener("scroll", remember);
  }, [key]);

  useEffect(() => {
    const stay = () => {
      window.history.scrollRestoration = "manual";
    };
    const leave = () => {
      window.history.scrollRestoration = "auto";
      keep();
    };
    stay();
    window.addEventListener("pageshow", stay);
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pageshow", stay);
      window.removeEventListener("pagehide", leave);
    };
  }, []);

  useLayoutEffect(() => {
    if (shown.current === key) {
      return;
    }
    shown.current = key;
    if (type === "POP") {
      window.scrollTo(0, leftAt.get(key) ?? 0);
    } else if ((state as { keepScroll?: boolean } | null)?.keepScroll !== true) {
      window.scrollTo(0, 0);
    }
  }, [key, state, type]);
}
