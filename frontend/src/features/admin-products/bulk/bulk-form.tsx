import { type FormEvent, useId, useMemo, useState } from "react";
import type { BulkChange, Which } from "../../../api/office/catalogue-changes";
import { CATEGORIES } from "../../../api/products/query";
import { fromField } from "../../../lib/time";
import { Button } from "../../../ui/button";
import { Select } from "../../../ui/form/select";
import { PriceFields, readPriceChange, usePriceSentence } from "./price-fields";

const ACTIONS = [
  { value: "category", label: "Set the category" },
  { value: "discount", label: "Set the discount" },
  { value: "changePrice", label: "Change price by" },
  { value: "setEnd", label: "Set the end" },
  { value: "end", label: "End now" },
  { value: "publish", label: "Publish drafts" },
];
const CHOICES = [
  { value: "", label: "Choose…" },
  ...CATEGORIES.map((category) => ({ value: category, label: category })),
];

interface BulkFormProps {
  which: Which;
  onApply: (change: BulkChange) => void;
}

export function BulkForm({ which, onApply }: BulkFormProps) {
  const [action, setAction] = useState("category");
  const [category, setCategory] = useState("");
  const [text, setText] = useState("");
  const [end, setEnd] = useState("");
  const [typed, setTyped] = useState({ text: "", unit: "-percent" });
  const byPrice = useMemo(
    () => (action === "changePrice" ? readPriceChange(typed) : undefined),
    [action, typed],
  );
  const { sentence, ready, failed } = usePriceSentence(which, byPrice);
  const change = action === "changePrice" ? byPrice : read(action, category, text, end);
  return (
    <>
      <form
        aria-label="Change the chosen products"
        className="bulk-form"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (change && (action !== "changePrice" || ready)) {
            onApply(change);
          }
        }}
      >
        <Select
          id="bulk-action"
          name="bulkAction"
          label="What to change"
          value={action}
          options={ACTIONS}
          onChange={setAction}
        />
        {action === "category" && (
          <Select
            id="bulk-category"
            name="bulkCategory"
            label="New category"
            value={category}
            options={CHOICES}
            onChange={setCategory}
          />
        )}
        {action === "setEnd" && <EndField value={end} onChange={setEnd} />}
        {action === "discount" && <DiscountField value={text} onChange={setText} />}
        {action === "changePrice" && <PriceFields typed={typed} onType={setTyped} />}
        <Button
          type="submit"
          variant="primary"
          disabled={change === undefined || (action === "changePrice" && !ready)}
        >
          Apply
        </Button>
      </form>
      {action === "changePrice" && (
        <p role="status" className={failed ? "bulk-preview is-failed tabular" : "bulk-preview tabular"}>
          {sentence}
        </p>
      )}
    </>
  );
}

interface ValueProps {
  value: string;
  onChange: (value: string) => void;
}

function EndField({ value, onChange }: ValueProps) {
  return (
    <>
      <input
        type="datetime-local"
        aria-label="New end, by the clock of India; empty for none"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="number-field"
      />
      {value === "" && <span className="hint">Not set: never</span>}
    </>
  );
}

function DiscountField({ value, onChange }: ValueProps) {
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="sr-only">
        New discount in percent
      </label>
      <input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        placeholder="%"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="number-field tabular"
      />
    </>
  );
}

function read(action: string, category: string, text: string, end: string): BulkChange | undefined {
  if (action === "end" || action === "publish") {
    return { action };
  }
  if (action === "setEnd") {
    return { action, value: fromField(end) || null };
  }
  if (action === "category") {
    return category === "" ? undefined : { action, value: category };
  }
  const discount = Number(text);
  const valid = text.trim() !== "" && discount >= 0 && discount <= 100;
  return valid ? { action: "discount", value: discount } : undefined;
}
