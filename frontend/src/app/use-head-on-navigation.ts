import { useLayoutEffect, useRef } from "react";
import { useLocation } from "react-router-dom";
import { savesData } from "../api/prefetch";

/** Screens with more in their heads than a title; src/http/pages/head.rs writes them. */
const DESCRIBED = /^\/($|category\/|collection\/|details\/|pages\/|seller\/)/;
/** Elements that say what a page is about; React writes the title. */
const ABOUT =
  "meta[name=description],meta[name=robots],meta[name^=twitter],meta[property]," +
  "link[rel=canonical],link[rel=prev],link[rel=next],script[type$=json]";

/**
 * Keeps canonical address, description, preview and structured data those of the screen: share menus
 * of phones read them. After a move inside the app they are removed at once, and those of the new
 * address come with the server's page, whose rules they follow.
 */
export function useHeadOnNavigation(): void {
  const { pathname, search } = useLocation();
  const address = pathname + search;
  const shown = useRef(address);

  useLayoutEffect(() => {
    if (shown.current === address) {
      return;
    }
    shown.current = address;
    show([]);
    if (!DESCRIBED.test(pathname) || savesData()) {
      return;
    }
    const move = new AbortController();
    // Without an answer, none of it is there: the browser shares its address.
    headOf(address, move.signal).then(show, () => undefined);
    return () => move.abort();
  }, [address, pathname]);
}

function show(elements: Iterable<Element>): void {
  for (const former of document.head.querySelectorAll(ABOUT)) {
    former.remove();
  }
  document.head.append(...elements);
}

/** Returns the elements of the server's page. */
async function headOf(address: string, signal: AbortSignal): Promise<Iterable<Element>> {
  const answer = await fetch(address, { headers: { accept: "text/html" }, priority: "low", signal });
  return new DOMParser().parseFromString(await answer.text(), "text/html").head.querySelectorAll(ABOUT);
}
