// Mirrored by src/http/pages/details/product_page.rs

import { type ReactNode, useState } from "react";

interface LongTextProps {
  /** Whether only a part is shown at first. */
  long: boolean;
  children: ReactNode;
}

/** A text of which only the beginning is shown until the rest is asked for. */
export function LongText({ long, children }: LongTextProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className={long ? (open ? "long long-open" : "long") : undefined}>
      {children}
      {long && (
        <button
          type="button"
          className="more needs-script"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? "less" : "more"}
        </button>
      )}
    </div>
  );
}

/** Whether a text has more characters than this. */
export function isLong(text: string, most: number): boolean {
  return text.length > most && Array.from(text).length > most;
}
