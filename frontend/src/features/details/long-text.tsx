import { type ReactNode, useState } from "react";
import { showLess, showMore } from "../../texts/en.json";
import { classNames } from "../../ui/class-names";

interface LongTextProps {
  /** Shows only the beginning at first, or does so on phones. */
  long: boolean | "phone";
  children: ReactNode;
}

export function LongText({ long, children }: LongTextProps) {
  const [open, setOpen] = useState(false);
  const name = long === "phone" ? "long-phone" : "long";
  return (
    <div className={long ? classNames(name, open && "long-open") : undefined}>
      {children}
      {long && (
        <button
          type="button"
          className="more needs-script"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? showLess : showMore}
        </button>
      )}
    </div>
  );
}

export function isLong(text: string, most: number): boolean {
  return text.length > most && Array.from(text).length > most;
}
