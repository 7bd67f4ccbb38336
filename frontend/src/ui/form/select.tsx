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
}

/** A native choice with its label: phones show their own picker. */
export function Select({ id, name, label, value, options, onChange }: SelectProps) {
  const field = useRef<HTMLSelectElement>(null);
  useTypedBefore(field, value, onChange);
  return (
    <div className="choice">
      <label htmlFor={id} className="sr-only">
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
