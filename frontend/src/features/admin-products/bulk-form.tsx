import { type FormEvent, useId, useState } from "react";
import type { BulkChange } from "../../api/admin";
import { CATEGORIES } from "../../api/products";
import { Button } from "../../ui/button";
import { Select } from "../../ui/form/select";

const CHOICES = [
  { value: "", label: "Choose…" },
  ...CATEGORIES.map((category) => ({ value: category, label: category })),
];

/** One change for all chosen products: nothing happens before Apply is pressed. */
export function BulkForm({ onApply }: { onApply: (change: BulkChange) => void }) {
  const id = useId();
  const [category, setCategory] = useState("");
  const [text, setText] = useState("");
  const discount = Number(text);
  const valid = text.trim() !== "" && discount >= 0 && discount <= 100;
  const submit = (change: BulkChange | undefined) => (event: FormEvent) => {
    event.preventDefault();
    if (change) {
      onApply(change);
    }
  };
  return (
    <>
      <form
        aria-label="Category of the chosen products"
        className="flex items-center gap-2"
        onSubmit={submit(category === "" ? undefined : { action: "category", value: category })}
      >
        <Select
          id="bulk-category"
          name="bulkCategory"
          label="Category"
          value={category}
          options={CHOICES}
          onChange={setCategory}
        />
        <Button type="submit" disabled={category === ""}>
          Apply category
        </Button>
      </form>
      <form
        aria-label="Discount of the chosen products"
        className="flex items-center gap-2"
        onSubmit={submit(valid ? { action: "discount", value: discount } : undefined)}
      >
        <label htmlFor={id} className="text-sm text-ink-3">
          Discount %
        </label>
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="number-field tabular w-16"
        />
        <Button type="submit" disabled={!valid}>
          Apply discount
        </Button>
      </form>
    </>
  );
}
