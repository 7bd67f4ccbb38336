import { useEffect, useState } from "react";

/** Pixels of scrolling that hide or show the bar. */
const STEP = 24;
/** Pixels from the top within which the bar always shows. */
const TOP = 96;

/** Returns true after scrolling down, until the page is scrolled up. */
export function useHiddenBar(): boolean {
  const [away, setAway] = useState(false);
  useEffect(() => {
    let last = window.scrollY;
    const follow = () => {
      const now = window.scrollY;
      if (now < TOP || Math.abs(now - last) > STEP) {
        setAway(now > last && now >= TOP);
        last = now;
      }
    };
    window.addEventListener("scroll", follow);
    return () => window.removeEventListener("scroll", follow);
  }, []);
  return away;
}
