import { ChevronDown } from "lucide-react";
import { useId } from "react";

interface SelectProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** A native choice with its label before it: phones show their own picker. */
export function Select({ label, value, options, onChange }: SelectProps) {
  const id = useId();
  return (
    <div className="flex shrink-0 items-center gap-2 text-sm">
      <label htmlFor={id} className="sr-only text-ink-3 wide:not-sr-only">
        {label}
      </label>
      <span className="relative inline-flex items-center">
        <select
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className="min-h-11 appearance-none rounded border border-line bg-paper pr-8 pl-3 hover:border-ink-3 wide:min-h-9"
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
