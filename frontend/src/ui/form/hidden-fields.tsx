// Mirrored by src/http/pages/ui.rs

/** What a form sends besides what is typed into it. */
export function HiddenFields({ fields }: { fields: readonly [string, string][] }) {
  return fields.map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}
