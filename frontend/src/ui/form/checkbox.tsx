interface CheckboxProps {
  /** For screen readers only. */
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A checkbox without a visible label, as large as a thumb. */
export function Checkbox({ label, checked, onChange }: CheckboxProps) {
  return (
    <label className="grid size-11 place-items-center">
      <span className="sr-only">{label}</span>
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 accent-accent"
      />
    </label>
  );
}
