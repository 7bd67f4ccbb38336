import down from "icon:chevron-down";
import dots from "icon:ellipsis-vertical";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Icon } from "./icon";

/** Height in pixels of the bar at the top, and of the one at the bottom. */
const BARS = 64;

/** True unless the styles hide an item at this width; always without layout. */
function isShown(item: HTMLElement): boolean {
  return getComputedStyle(item).display !== "none";
}

interface MenuProps {
  label: string;
  /** Visible text in place of the three dots. */
  text?: string;
  /** Links and buttons with the role `menuitem`. */
  children: ReactNode;
}

/** A button with a menu: arrow keys move, Escape closes and restores the focus. */
export function Menu({ label, text, children }: MenuProps) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const items = () =>
    [...(root.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])].filter(isShown);
  useEffect(() => {
    if (!open) {
      return;
    }
    const menu = root.current?.querySelector<HTMLElement>("[role=menu]");
    if (menu) {
      const { top, bottom, height } = menu.getBoundingClientRect();
      menu.toggleAttribute("data-up", bottom > window.innerHeight - BARS && top > height + 2 * BARS);
    }
    [...(menu?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])].find(isShown)?.focus();
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) {
        setOpen(false);
      }
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [open]);
  const close = () => {
    setOpen(false);
    root.current?.querySelector("button")?.focus();
  };
  const press = (event: KeyboardEvent) => {
    const all = items();
    const here = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: here + 1, ArrowUp: here - 1 + all.length, Home: 0, End: all.length - 1 }[
      event.key
    ];
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
    } else if (next !== undefined) {
      event.preventDefault();
      all[next % all.length]?.focus();
    } else if (event.key === "Tab") {
      setOpen(false);
    }
  };
  return (
    <div ref={root} className="menu">
      <button
        type="button"
        className="btn btn-plain"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {text}
        <Icon of={text === undefined ? dots : down} />
      </button>
      {open && (
        <div role="menu" tabIndex={-1} aria-label={label} onKeyDown={press} onClick={close}>
          {children}
        </div>
      )}
    </div>
  );
}
