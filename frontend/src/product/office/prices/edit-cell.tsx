import { type FocusEvent, type MouseEvent, useId, useRef, useState } from "react";
import { failureText } from "../../../api/failure";
import { hasTwoDecimals, toMoney, unclearMoney } from "../../../schemas/values";
import { Button } from "../../../ui/button";
import { useToast } from "../../../ui/toast/toast";
import { AskLarge } from "./large-change";

interface EditCellProps {
  /** Accessible name: the field and its product. */
  label: string;
  value: number;
  shown: string;
  most: number;
  /** The maximum in words, like 100%. */
  mostShown: string;
  /** Returns in words what is too large a change to be saved without a question. */
  largeChange: (value: number) => string | undefined;
  onSave: (value: number) => Promise<void>;
}

/** A number that is edited in place, by buttons or Enter and Escape; one that is refused stays with the reason. */
export function EditCell({ label, value, shown, most, mostShown, largeChange, onSave }: EditCellProps) {
  const [text, setText] = useState<string>();
  const [pending, setPending] = useState(false);
  // Set while a large change waits for an answer: whether the question takes the focus.
  const [asking, setAsking] = useState<{ focused: boolean }>();
  const id = useId();
  const toast = useToast();
  // After the buttons, Enter or Escape, the focus returns to the cell.
  const returns = useRef(false);
  if (text === undefined) {
    return (
      <button
        ref={(button) => {
          if (returns.current) {
            returns.current = false;
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
  const large = refused === undefined ? largeChange(number) : undefined;
  const close = () => {
    setAsking(undefined);
    setText(undefined);
  };
  const save = async () => {
    if (pending) {
      return;
    }
    setPending(true);
    try {
      await onSave(number);
      close();
    } catch (error) {
      toast({ title: failureText(error), failure: true });
    } finally {
      setPending(false);
    }
  };
  const finish = (focused: boolean) => {
    if (refused !== undefined) {
      return;
    }
    returns.current = focused;
    if (number === value) {
      close();
    } else if (large === undefined) {
      void save();
    } else {
      setAsking({ focused });
    }
  };
  const cancel = () => {
    returns.current = true;
    close();
  };
  const leave = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) {
      typed === "" ? close() : finish(false);
    }
  };
  if (asking && large !== undefined) {
    return (
      <fieldset className="edited" onKeyDown={(event) => (event.key === "Escape" ? cancel() : undefined)}>
        <AskLarge
          change={large}
          label={label}
          focused={asking.focused}
          onSave={() => {
            returns.current = true;
            void save();
          }}
          onChange={() => setAsking(undefined)}
        />
      </fieldset>
    );
  }
  return (
    <fieldset className="edited" onBlur={leave}>
      <input
        ref={select}
        className="edit"
        inputMode="decimal"
        autoComplete="off"
        aria-label={label}
        aria-describedby={id}
        aria-invalid={refused !== undefined}
        value={text}
        onChange={(event) => {
          setAsking(undefined);
          setText(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            finish(true);
          } else if (event.key === "Escape") {
            cancel();
          }
        }}
      />
      <Button
        variant="primary"
        aria-label={`Save: ${label}`}
        onMouseDown={keepFocus}
        onClick={() => finish(true)}
      >
        Save
      </Button>
      <Button variant="plain" aria-label={`Cancel: ${label}`} onMouseDown={keepFocus} onClick={cancel}>
        Cancel
      </Button>
      <small id={id} role="status" className={refused && "text-danger"}>
        {refused ?? `was ${shown}`}
      </small>
    </fieldset>
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
    return unclear ?? "Enter a number, like 459 or 459.50.";
  }
  return number > most ? `At most ${mostShown}` : undefined;
}

/** Leaves the focus in the field: browsers that focus no pressed button would take it for leaving. */
function keepFocus(event: MouseEvent) {
  event.preventDefault();
}

function select(field: HTMLInputElement | null) {
  field?.focus();
  field?.select();
}
