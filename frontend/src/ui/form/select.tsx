import chevronDown from "icon:chevron-down";
import { useRef } from "react";
import { Icon } from "../../ui/icon";
import { useEarlyInput } from "./use-early-input";

interface SelectProps {
  id: string;
  name: string;
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

export function Select({ id, name, label, value, options, onChange }: SelectProps) {
  const field = useRef<HTMLSelectElement>(null);
  useEarlyInput(field, value, onChange);
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
