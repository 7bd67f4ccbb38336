import { useEffect } from "react";
import { useLocation, useNavigationType } from "react-router-dom";
import { SEARCH_FIELD } from "../product/search-box";

/** A link of the screen: its target, and its index among links with that target. */
interface FocusPlace {
  address: string;
  index: number;
}

/** Path of the screen that was shown last, in this frame or the office's. */
let shown: string | undefined;

/** The link through which each history entry was left. */
const leftThrough = new Map<string, FocusPlace>();

/**
 * Moves the focus as a new page would: to the heading of a new screen, and after going
 * back to the link that led away. Changes within a screen (a filter, a page of the list)
 * don't move it.
 */
export function useFocusOnNavigation(): void {
  const { key, pathname } = useLocation();
  const type = useNavigationType();

  useEffect(() => {
    const remember = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("#content a") : null;
      const address = link?.getAttribute("href");
      if (link && address != null) {
        leftThrough.set(key, { address, index: linksTo(address).indexOf(link) });
      }
    };
    document.addEventListener("click", remember, true);
    return () => document.removeEventListener("click", remember, true);
  }, [key]);

  useEffect(() => {
    const before = shown;
    shown = pathname;
    if (before === undefined || before === pathname) {
      return;
    }
    // A screen may set the focus itself, as /search does.
    const wanted = document.activeElement;
    if (wanted?.id === SEARCH_FIELD || document.getElementById("content")?.contains(wanted)) {
      return;
    }
    const left = type === "POP" ? leftThrough.get(key) : undefined;
    const target = left && linksTo(left.address)[left.index];
    const heading = document.querySelector("h1");
    const focused = target ?? heading;
    if (focused instanceof HTMLElement) {
      focused.focus({ preventScroll: true });
    }
  }, [key, pathname, type]);
}

function linksTo(address: string): Element[] {
  const links = [...document.querySelectorAll("#content a")];
  return links.filter((link) => link.getAttribute("href") === address);
}
