import { useId, useRef, useState } from "react";
import { failureText } from "../../api/failure";
import { hasTwoDecimals, toMoney, unclearMoney } from "../../schemas/values";
import { useToast } from "../../ui/toast/toast";

interface EditCellProps {
  /** Accessible name: the field and its product. */
  label: string;
  value: number;
  shown: string;
  most: number;
  /** The maximum in words, like 100%. */
  mostShown: string;
  onSave: (value: number) => Promise<void>;
}

/** A number that is edited in place: Enter saves, Escape cancels; one that is refused stays with the reason. */
export function EditCell({ label, value, shown, most, mostShown, onSave }: EditCellProps) {
  const [text, setText] = useState<string>();
  const [pending, setPending] = useState(false);
  const id = useId();
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
        <Amount of={shown} />
      </button>
    );
  }
  const typed = text.replace("%", "").trim();
  const number = toMoney(typed);
  const refused = refusal(typed, most, mostShown);
  const save = async () => {
    if (refused !== undefined || pending) {
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
        ref={select}
        className="edit"
        inputMode="decimal"
        autoComplete="off"
        aria-label={label}
        aria-describedby={id}
        aria-invalid={refused !== undefined}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            byKey.current = refused === undefined;
            void save();
          } else if (event.key === "Escape") {
            byKey.current = true;
            setText(undefined);
          }
        }}
        onBlur={() => (typed === "" ? setText(undefined) : void save())}
      />
      <small id={id} role="status" className={refused && "text-danger"}>
        {refused ?? `was ${shown}`}
      </small>
    </span>
  );
}

/** A price with small paise. */
function Amount({ of }: { of: string }) {
  const [, rupees, paise] = /^(₹.*)(\.\d\d)$/.exec(of) ?? [];
  return (
    <span>
      {rupees ?? of}
      {paise && <small>{paise}</small>}
    </span>
  );
}

function refusal(typed: string, most: number, mostShown: string): string | undefined {
  const unclear = unclearMoney(typed);
  const number = toMoney(typed);
  if (unclear !== undefined || !(number >= 0 && hasTwoDecimals(number))) {
    return unclear ?? "A number with at most 2 decimals";
  }
  return number > most ? `At most ${mostShown}` : undefined;
}

function select(field: HTMLInputElement | null) {
  field?.focus();
  field?.select();
}
