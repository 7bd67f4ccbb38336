import { useEffect, useLayoutEffect } from "react";
import { useLocation, useNavigationType } from "react-router-dom";

const KEPT = "scroll-positions";

/** How far each entry of the history was scrolled when it was left, by its id. */
const leftAt = new Map<string, number>(readKept());

/** The entry of the history that was shown last, in this frame or in the office's. */
let shown: string | undefined;

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

  useEffect(() => {
    const remember = () => leftAt.set(key, window.scrollY);
    window.addEventListener("scroll", remember);
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
    const before = shown;
    shown = key;
    if (before === undefined || before === key) {
      return;
    }
    if (type === "POP") {
      return holdAt(leftAt.get(key) ?? 0);
    }
    if ((state as { keepScroll?: boolean } | null)?.keepScroll !== true) {
      window.scrollTo(0, 0);
    }
    return undefined;
  }, [key, state, type]);
}

/** Milliseconds in which what a screen shows has usually come. */
const COMING = 3_000;
/** What shows that somebody scrolls by themselves. */
const HANDS = ["wheel", "touchstart", "keydown"] as const;

/** Scrolls to a place, and again while the screen grows to it, until a visitor does something. */
function holdAt(place: number): () => void {
  const scroll = () => window.scrollTo(0, place);
  scroll();
  const growing = "ResizeObserver" in window ? new ResizeObserver(scroll) : undefined;
  growing?.observe(document.body);
  const stop = () => {
    growing?.disconnect();
    clearTimeout(timer);
  };
  const timer = setTimeout(stop, COMING);
  for (const hand of HANDS) {
    window.addEventListener(hand, stop, { once: true });
  }
  return stop;
}
