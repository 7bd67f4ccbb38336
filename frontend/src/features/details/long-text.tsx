// Mirrored by src/http/pages/details/product_page.rs

import { type ReactNode, useState } from "react";

interface LongTextProps {
  /** Shows only the beginning at first. */
  long: boolean;
  children: ReactNode;
}

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

export function isLong(text: string, most: number): boolean {
  return text.length > most && Array.from(text).length > most;
}
