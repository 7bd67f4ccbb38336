import { useFormikContext } from "formik";
import { useState } from "react";
import type { Product } from "../../api/types";
import { fromProduct, type ProductFormValues } from "../../schemas/product";
import { Button } from "../../ui/button";
import { type Part, withParts } from "./merge";
import { Question } from "./question";

const LIST = new Intl.ListFormat("en-IN");

export interface Clash {
  theirs: Product;
  /** Typed values when the save was refused. */
  mine: ProductFormValues;
  taken: readonly Part[];
  conflicts: readonly Part[];
}

interface ConflictProps {
  clash: Clash;
  /** Called when a choice has been made for each conflict. */
  onChosen: () => void;
  onTakeTheirs: () => void;
}

/** Says what somebody else changed meanwhile, and asks about fields that both changed. */
export function Conflict({ clash, onChosen, onTakeTheirs }: ConflictProps) {
  const { setValues, values } = useFormikContext<ProductFormValues>();
  const [choices, setChoices] = useState<ReadonlyMap<string, "mine" | "theirs">>(new Map());
  const { theirs, mine, taken, conflicts } = clash;
  const newer = fromProduct(theirs);
  const left = conflicts.filter(({ label }) => !choices.has(label));

  const choose = (part: Part, choice: "mine" | "theirs") => {
    const before = choices.get(part.label) ?? "mine";
    if (choice !== before) {
      void setValues(withParts(values, choice === "mine" ? mine : newer, [part]));
    }
    const next = new Map(choices).set(part.label, choice);
    setChoices(next);
    if (conflicts.every(({ label }) => next.has(label))) {
      onChosen();
    }
  };
  const option = (part: Part, choice: "mine" | "theirs", label: string, from: ProductFormValues) => (
    <div className="min-w-0">
      <p className="line-clamp-3 break-words whitespace-pre-line">{textOf(part, from)}</p>
      <Button
        aria-pressed={choices.get(part.label) === choice}
        aria-label={`${label}: ${part.label}`}
        variant={choices.get(part.label) === choice ? "primary" : "quiet"}
        onClick={() => choose(part, choice)}
        className="mt-2"
      >
        {label}
      </Button>
    </div>
  );

  return (
    <Question title="Somebody else changed this product after you opened it.">
      <p className="text-sm text-ink-2">
        {taken.length > 0 &&
          `They changed: ${LIST.format(taken.map(({ label }) => label))}. You had not, so the form has their values now. `}
        What you typed is still here.
      </p>
      <p className="text-sm font-semibold">Choose which to keep</p>
      <ul className="text-sm">
        {conflicts.map((part) => (
          <li key={part.label} className="border-t border-line py-2">
            <p className="font-semibold">{part.label}</p>
            <div className="grid grid-cols-2 gap-3">
              {option(part, "mine", "Keep mine", mine)}
              {option(part, "theirs", "Take theirs", newer)}
            </div>
          </li>
        ))}
      </ul>
      <p role="status" className="text-sm empty:hidden">
        {left.length === 0 && "Press Update product to save."}
      </p>
      <Button onClick={onTakeTheirs} className="self-start">
        Load the newer version
      </Button>
    </Question>
  );
}

function textOf({ names }: Part, values: ProductFormValues): string {
  const texts = names.map((name) => {
    const value = values[name] ?? "";
    if (typeof value === "string") {
      return name === "discount" && value !== "" ? `${value}%` : value;
    }
    return value
      .map((row) =>
        typeof row === "string" ? row : [row.kind, row.code, row.text].filter(Boolean).join(" · "),
      )
      .join("\n");
  });
  return texts.filter(Boolean).join(" ") || "Empty";
}
