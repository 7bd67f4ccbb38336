import { clickCall, clickNote } from "./click-call";

declare global {
  interface Window {
    /** Clicks that were made before the first module ran (build/head.js). */
    earlyClicks?: MouseEvent[];
  }
}

/** A visit to a seller that was made before the app was there. */
export interface EarlyClick {
  /** The product's `_id`. */
  id: string;
  /** The new count; fails when it was not counted. */
  clicks: Promise<number>;
}

/** What was done with a served page before the app was there. */
export interface Beforehand {
  /** Ends the watch, and gives the visits to sellers. */
  stop: () => EarlyClick[];
  /** Presses the buttons again that were pressed, now that they do something. */
  repeat: () => void;
}

/**
 * Watches what is done with a page that has no app yet: links and forms work by
 * themselves, but clicks on sellers' links have to be counted, and other buttons wait.
 */
export function beforehand(): Beforehand {
  const clicks: EarlyClick[] = [];
  const pressed = new Set<HTMLElement>();

  const watch = (event: MouseEvent) => {
    const target = event.target instanceof Element ? event.target : null;
    const seller = target?.closest("a[data-buy]");
    const button = target?.closest<HTMLElement>("button[type=button]");
    if (seller && event.button < 2) {
      const id = productOf(seller);
      const counted = count(id);
      // Who is told of a failure comes later.
      counted.catch(() => undefined);
      clicks.push({ id, clicks: counted });
    } else if (button && event.button === 0) {
      pressed.add(button);
    }
  };
  // The head's script has kept what came before this one.
  for (const event of window.earlyClicks ?? []) {
    watch(event);
  }
  delete window.earlyClicks;
  document.addEventListener("click", watch);
  document.addEventListener("auxclick", watch);

  return {
    stop: () => {
      document.removeEventListener("click", watch);
      document.removeEventListener("auxclick", watch);
      return clicks;
    },
    repeat: () => {
      for (const button of pressed) {
        button.click();
      }
      pressed.clear();
    },
  };
}

/** Whose link to its seller it is: its card leads to it, or the page is its own. */
function productOf(link: Element): string {
  const card = link.closest(".card")?.querySelector("a");
  const path = card?.getAttribute("href") ?? window.location.pathname;
  return decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
}

async function count(id: string): Promise<number> {
  const answer = await fetch(clickCall(id), {
    method: "POST",
    keepalive: true,
    body: JSON.stringify(clickNote),
  });
  if (!answer.ok) {
    throw new Error(`the click was answered with ${answer.status}`);
  }
  return ((await answer.json()) as { clicks: number }).clicks;
}
