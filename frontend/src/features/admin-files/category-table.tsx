import { useState } from "react";
import type { FilePreview } from "../../api/types";
import { counted } from "../../lib/rupees";
import { useCategoryChoices } from "../../shop/categories";
import { Button } from "../../ui/button";
import { SelectInput } from "../../ui/form/field";
import { Block } from "../../ui/office-screen";

interface CategoryTableProps {
  categories: FilePreview["categories"];
  disabled: boolean;
  onMap: (counterparts: Record<string, string>) => void;
}

/** Categories of the file that need a counterpart of the shop. */
export function CategoryTable({ categories, disabled, onMap }: CategoryTableProps) {
  const own = useCategoryChoices();
  const [chosen, setChosen] = useState<Record<string, string>>({});
  return (
    <Block title="Categories without a counterpart" note={String(categories.length)}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onMap(chosen);
        }}
      >
        <ul className="grid gap-2">
          {categories.map(({ name, rows }) => (
            <li
              key={name}
              className="grid grid-cols-[minmax(0,1fr)_minmax(min(8rem,50%),14rem)] items-center gap-3"
            >
              <label htmlFor={`category ${name}`} className="min-w-0 break-words">
                {name} <span className="hint">{counted(rows, "row", "rows")}</span>
              </label>
              <SelectInput
                id={`category ${name}`}
                value={chosen[name] ?? ""}
                onChange={(event) => {
                  const { [name]: _, ...others } = chosen;
                  const { value } = event.target;
                  setChosen(value === "" ? others : { ...others, [name]: value });
                }}
              >
                <option value="">None</option>
                {own.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </SelectInput>
            </li>
          ))}
        </ul>
        <div>
          <Button type="submit" disabled={disabled || Object.keys(chosen).length === 0}>
            Use these
          </Button>
        </div>
      </form>
    </Block>
  );
}
