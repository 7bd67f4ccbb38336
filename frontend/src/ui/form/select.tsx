import { ChevronDown } from "lucide-react";
import { useRef } from "react";
import { classNames } from "../class-names";
import { useTypedBefore } from "./use-typed-before";

interface SelectProps {
  /** The id and the name of the field. */
  id: string;
  name: string;
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  /** The label above, and as wide as its column. */
  stacked?: boolean;
}

/** A native choice with its label: phones show their own picker. */
export function Select({ id, name, label, value, options, onChange, stacked = false }: SelectProps) {
  const field = useRef<HTMLSelectElement>(null);
  useTypedBefore(field, value, onChange);
  return (
    <div className={stacked ? "flex flex-col gap-1 text-sm" : "flex shrink-0 items-center gap-2 text-sm"}>
      <label htmlFor={id} className={stacked ? "font-semibold" : "sr-only text-ink-3 wide:not-sr-only"}>
        {label}
      </label>
      <span className="relative inline-flex flex-1 items-center">
        <select
          ref={field}
          id={id}
          name={name}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={classNames(
            "min-h-11 appearance-none rounded border border-line bg-paper pr-8 pl-3 hover:border-ink-3 wide:min-h-9",
            stacked ? "w-full truncate" : "wide:w-full",
          )}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden size={16} className="pointer-events-none absolute right-2 text-ink-3" />
      </span>
    </div>
  );
}
