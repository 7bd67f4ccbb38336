import { useId } from "react";
import { count, percent, shortRupees } from "../../../lib/rupees";
import { Button } from "../../../ui/button";

/** Factor from which a change of a price may be a typing error. */
const LARGE = 2;

/** Returns a large change of a price in words, like ₹220 → ₹22, 90% less; nothing for another one. */
export function largeChange(from: number, to: number): string | undefined {
  if (from <= 0 || (to * LARGE > from && to < from * LARGE)) {
    return undefined;
  }
  const by =
    to < from
      ? `${percent((1 - to / from) * 100)} less`
      : `${count(Math.round((to / from - 1) * 100))}% more`;
  return `${shortRupees(from)} → ${shortRupees(to)}, ${by}`;
}

interface AskLargeProps {
  /** The change in words. */
  change: string;
  /** Name of the changed value, for the names of the buttons. */
  label: string;
  /** Moves the focus to the button that saves nothing. */
  focused: boolean;
  onSave: () => void;
  onChange: () => void;
}

/** Asks before a large change of a price is saved. */
export function AskLarge({ change, label, focused, onSave, onChange }: AskLargeProps) {
  const id = useId();
  return (
    <>
      <p id={id} role="alert" className="basis-full pt-1 font-semibold text-sm">
        {change}. Save it?
      </p>
      <Button variant="primary" aria-label={`Save: ${label}`} aria-describedby={id} onClick={onSave}>
        Save
      </Button>
      <Button
        ref={focused ? focus : null}
        variant="plain"
        aria-label={`Change: ${label}`}
        aria-describedby={id}
        onClick={onChange}
      >
        Change
      </Button>
    </>
  );
}

function focus(button: HTMLButtonElement | null) {
  button?.focus();
}
