import { useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router-dom";

/** The element each entry of the history was left through, by its id. */
const leftThrough = new Map<string, string>();

/**
 * Moves the focus as a new page would: to the heading of a new screen, and on
 * the way back to the link that led away. Changes within a screen (a filter, a
 * page of the list) leave it alone.
 */
export function useFocusOnNavigation(): void {
  const { key, pathname } = useLocation();
  const type = useNavigationType();
  const previous = useRef(pathname);

  useEffect(() => {
    const remember = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[id]") : null;
      if (link) {
        leftThrough.set(key, link.id);
      }
    };
    document.addEventListener("click", remember, true);
    return () => document.removeEventListener("click", remember, true);
  }, [key]);

  useEffect(() => {
    if (previous.current === pathname) {
      return;
    }
    previous.current = pathname;
    // A screen may have put the focus where it is wanted, as /search does.
    if (document.getElementById("content")?.contains(document.activeElement)) {
      return;
    }
    const id = type === "POP" ? leftThrough.get(key) : undefined;
    const target = id === undefined ? null : document.getElementById(id);
    const heading = document.querySelector<HTMLElement>("h1");
    (target ?? heading)?.focus({ preventScroll: true });
  }, [key, pathname, type]);
}
