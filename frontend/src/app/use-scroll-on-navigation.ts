import { useEffect, useLayoutEffect } from "react";
import { useLocation, useNavigationType } from "react-router-dom";

const KEPT = "scroll-positions";

/** Scroll positions of history entries when they were left, by id. */
const leftAt = new Map<string, number>(readKept());

/** The history entry that was shown last, in this frame or the office's. */
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
    // Without storage, a reload loses the positions.
  }
}

/**
 * Restores scroll positions as a browser does between pages: a new screen begins at its
 * top, and going back restores the position. A navigation with `keepScroll` in its state
 * does not scroll. Loads and reloads are left to the browser.
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
    let place = 0;
    const show = ({ persisted }: PageTransitionEvent) => {
      stay();
      // Coming back from another document: WebKit shows the kept page from its top.
      if (persisted) {
        window.scrollTo(0, place);
      }
    };
    const leave = () => {
      place = window.scrollY;
      window.history.scrollRestoration = "auto";
      keep();
    };
    stay();
    window.addEventListener("pageshow", show);
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pageshow", show);
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

/** Milliseconds in which a screen has usually loaded. */
const COMING = 3_000;
/** Events of a visitor who scrolls. */
const HANDS = ["wheel", "touchstart", "keydown"] as const;

/** Scrolls to a position, again while the screen grows, until the visitor scrolls. */
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
