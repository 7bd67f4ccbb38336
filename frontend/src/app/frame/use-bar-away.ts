import { useEffect, useState } from "react";

/** Pixels that are scrolled before the bar leaves or is back. */
const STEP = 24;
/** At the beginning of a page it always stays. */
const TOP = 96;

/** Whether the bar is out of the way: while a page is scrolled down, until it is scrolled up. */
export function useBarAway(): boolean {
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
