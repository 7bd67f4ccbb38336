import { useRef, useState } from "react";
import { failureText } from "../../api/failure";
import { useToast } from "../../ui/toast/toast";

interface EditCellProps {
  /** Accessible name: the field and its product. */
  label: string;
  value: number;
  shown: string;
  most: number;
  onSave: (value: number) => Promise<void>;
}

/** A number that is edited in place: Enter saves, Escape cancels. */
export function EditCell({ label, value, shown, most, onSave }: EditCellProps) {
  const [text, setText] = useState<string>();
  const [pending, setPending] = useState(false);
  const toast = useToast();
  // After Enter or Escape, the focus returns to the cell.
  const byKey = useRef(false);
  if (text === undefined) {
    return (
      <button
        ref={(button) => {
          if (byKey.current) {
            byKey.current = false;
            button?.focus();
          }
        }}
        type="button"
        className="edit"
        aria-label={`${label}: ${shown}. Change`}
        onClick={() => setText(String(value))}
      >
        {shown}
      </button>
    );
  }
  const typed = text.replace(/[,\s₹%]/g, "");
  const number = Number(typed);
  const valid = /^\d+(\.\d{1,2})?$/.test(typed) && number <= most;
  const save = async () => {
    if (!valid || pending) {
      return;
    }
    if (number === value) {
      setText(undefined);
      return;
    }
    setPending(true);
    try {
      await onSave(number);
      setText(undefined);
    } catch (error) {
      toast({ title: failureText(error), failure: true });
    } finally {
      setPending(false);
    }
  };
  return (
    <span className="edited">
      <input
        ref={(field) => {
          if (field !== null && document.activeElement !== field && !pending) {
            field.focus();
            field.select();
          }
        }}
        className="edit"
        inputMode="decimal"
        autoComplete="off"
        aria-label={label}
        aria-invalid={!valid}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            byKey.current = true;
            void save();
          } else if (event.key === "Escape") {
            byKey.current = true;
            setText(undefined);
          }
        }}
        onBlur={() => (valid && number !== value ? void save() : setText(undefined))}
      />
      <small>{valid ? `was ${shown}` : `0 to ${most}, 2 decimals`}</small>
    </span>
  );
}
