// Mirrored by src/http/pages/ui.rs

import chevronDown from "icon:chevron-down";
import { useRef } from "react";
import { Icon } from "../../ui/icon";
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
    <div className={stacked ? "choice choice-stacked" : "choice"}>
      <label htmlFor={id} className={stacked ? undefined : "sr-only"}>
        {label}
      </label>
      <span>
        <select
          ref={field}
          id={id}
          name={name}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon of={chevronDown} />
      </span>
    </div>
  );
}
