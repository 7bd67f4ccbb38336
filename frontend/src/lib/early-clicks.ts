import { clickCall, clickNote } from "./click-call";

declare global {
  interface Window {
    /** Clicks before the first module ran (build/head.js). */
    earlyClicks?: MouseEvent[];
  }
}

/** A click on a seller's link before hydration. */
export interface EarlyClick {
  id: string;
  /** The new count; rejects if the click was not counted. */
  clicks: Promise<number>;
}

/** Clicks on a page before hydration. */
export interface EarlyClickRecorder {
  /** Stops listening, and returns the clicks on sellers' links. */
  stop: () => EarlyClick[];
  /** Repeats the clicks on buttons. */
  repeat: () => void;
}

/**
 * Records clicks on a page before hydration: links and forms work by themselves, but clicks on
 * sellers' links have to be counted, and buttons wait.
 */
export function recordEarlyClicks(): EarlyClickRecorder {
  const clicks: EarlyClick[] = [];
  const pressed = new Set<HTMLElement>();

  const watch = (event: MouseEvent) => {
    const target = event.target instanceof Element ? event.target : null;
    const seller = target?.closest("a[data-buy]");
    const button = target?.closest<HTMLElement>("button[type=button]");
    if (seller && event.button < 2) {
      const id = productOf(seller);
      const counted = count(id);
      // The app reports a failure.
      counted.catch(() => undefined);
      clicks.push({ id, clicks: counted });
    } else if (button && event.button === 0) {
      pressed.add(button);
    }
  };
  // Clicks recorded by the script in the head.
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

/** Returns the `_id` of a link's product: of its card's link, or of the page. */
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
