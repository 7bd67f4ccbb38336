import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";

interface LeaveGuard {
  /** A navigation waits for the user's answer. */
  asking: boolean;
  leave: () => void;
  stay: () => void;
}

/**
 * While `active`, blocks links and the back button, so that nobody leaves a screen
 * by accident. Navigations by the screen itself are not blocked.
 */
export function useLeaveGuard(active: boolean): LeaveGuard {
  const navigate = useNavigate();
  const [goOn, setGoOn] = useState<() => void>();
  const passing = useRef(false);

  useEffect(() => {
    if (!active) {
      return;
    }
    const place = placeInHistory();
    let returning = false;

    const onClick = (event: MouseEvent) => {
      const address = addressWithin(event);
      if (address !== undefined) {
        event.preventDefault();
        event.stopPropagation();
        setGoOn(() => () => navigate(address));
      }
    };
    // `popstate` comes after the navigation, which is therefore undone first; that
    // fires another one.
    const onPopState = (event: PopStateEvent) => {
      const known = (window.history.state as { idx?: number } | null)?.idx !== undefined;
      // A step within this screen, like one to a fragment, is none of the router's.
      if (passing.current || !known || (placeInHistory() === place && !returning)) {
        return;
      }
      event.stopImmediatePropagation();
      if (returning) {
        returning = false;
        return;
      }
      const steps = placeInHistory() - place;
      returning = true;
      window.history.go(-steps);
      setGoOn(() => () => window.history.go(steps));
    };

    document.addEventListener("click", onClick, true);
    window.addEventListener("popstate", onPopState, true);
    return () => {
      document.removeEventListener("click", onClick, true);
      window.removeEventListener("popstate", onPopState, true);
    };
  }, [active, navigate]);

  return {
    asking: goOn !== undefined,
    leave: () => {
      passing.current = true;
      goOn?.();
    },
    stay: () => setGoOn(undefined),
  };
}

/** Returns the router's index of the history entry. */
function placeInHistory(): number {
  return (window.history.state as { idx?: number } | null)?.idx ?? 0;
}

/** Returns the target of a plain click within this site, if it leaves this screen. */
function addressWithin(event: MouseEvent): string | undefined {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!plain || !link || link.target !== "" || link.hasAttribute("download")) {
    return undefined;
  }
  const { origin, pathname, search, hash } = new URL(link.href, window.location.href);
  const elsewhere = origin === window.location.origin && pathname !== window.location.pathname;
  return elsewhere ? pathname + search + hash : undefined;
}
