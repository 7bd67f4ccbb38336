import { useState } from "react";
import type { FilePreview } from "../../api/types";
import { maxCategory } from "../../lib/constants.json";
import { counted } from "../../lib/rupees";
import { useSession } from "../../session/session";
import { useCategoryChoices } from "../../shop/categories";
import { Button } from "../../ui/button";
import { SelectInput } from "../../ui/form/field";
import { Block } from "../../ui/office-screen";

interface CategoryTableProps {
  categories: FilePreview["categories"];
  disabled: boolean;
  /** A category was chosen for rows without one. */
  withDefault: boolean;
  onMap: (counterparts: Record<string, string>) => void;
}

/** Leaves the rows of a category out. */
const LEFT_OUT = "-";

/** Returns the category that a name of the file would become: the first part of a path, if it may be one. */
function creatable(name: string): string | undefined {
  const [first = ""] = name
    .split(/[>›»→]/)
    .map((part) => part.trim())
    .filter(Boolean);
  const may = [...first].length <= maxCategory && /[\p{L}\p{N}]/u.test(first) && !/[/\\]/.test(first);
  return may ? first : undefined;
}

/** Categories of the file that need a counterpart of the shop. */
export function CategoryTable({ categories, disabled, withDefault, onMap }: CategoryTableProps) {
  const own = useCategoryChoices();
  const { isAdmin } = useSession();
  const [chosen, setChosen] = useState<Record<string, string>>({});
  return (
    <Block title="Unmatched categories" note={String(categories.length)}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onMap(
            Object.fromEntries(Object.entries(chosen).map(([name, to]) => [name, to === LEFT_OUT ? "" : to])),
          );
        }}
      >
        <ul className="grid gap-2">
          {categories.map(({ name, rows }) => {
            const created = isAdmin ? creatable(name) : undefined;
            return (
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
                  <option value="">Choose</option>
                  {created !== undefined && <option value={`+${created}`}>{`Create “${created}”`}</option>}
                  <option value={LEFT_OUT}>
                    {withDefault ? "The category above" : "Leave these rows out"}
                  </option>
                  {own.map(({ value, label }) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </SelectInput>
              </li>
            );
          })}
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
