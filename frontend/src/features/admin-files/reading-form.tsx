import { type ReactNode, useEffect, useState } from "react";
import { useMappings } from "../../api/office/files";
import { useSession } from "../../session/session";
import { useCategoryChoices } from "../../shop/categories";
import { formats } from "../../shop/formats.json";
import { Button } from "../../ui/button";
import { INPUT, LABEL, SelectInput } from "../../ui/form/field";
import { formatText } from "./findings";
import type { ImportState } from "./use-import";

/** Returns a format's name to begin a line. */
function named(format: string): string {
  return formatText(format)
    .replace(/^an? /, "")
    .replace(/^\w/, (letter) => letter.toUpperCase());
}

interface ChoiceProps {
  id: string;
  label: string;
  disabled: boolean;
  value: string;
  onChange: (value: string) => void;
  children: ReactNode;
}

function Choice({ id, label, onChange, ...select }: ChoiceProps) {
  return (
    <div>
      <label htmlFor={id} className={LABEL}>
        {label}
      </label>
      <SelectInput id={id} onChange={(event) => onChange(event.target.value)} {...select} />
    </div>
  );
}

/** The saved mappings, and those of formats. */
function Mappings({ saved, presets }: { saved: string[]; presets: string[] }) {
  return (
    <>
      {saved.length > 0 && (
        <optgroup label="Saved">
          {saved.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </optgroup>
      )}
      <optgroup label="From a format, to copy and change">
        {presets.map((name) => (
          <option key={name} value={name}>
            {named(name)}
          </option>
        ))}
      </optgroup>
    </>
  );
}

/** How the file is read: format, mapping, and what the file does not say. */
export function ReadingForm({ state: { choice, working, read } }: { state: ImportState }) {
  const categories = useCategoryChoices();
  const { isAdmin } = useSession();
  const { data } = useMappings();
  const [source, setSource] = useState(choice.source);
  useEffect(() => setSource(choice.source), [choice.source]);
  return (
    <form
      className="grid grid-cols-[repeat(auto-fit,minmax(min(14rem,100%),1fr))] items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        read({ ...choice, source });
      }}
    >
      <Choice
        id="import-format"
        label="Format"
        disabled={working}
        value={choice.format}
        onChange={(format) => read({ ...choice, format })}
      >
        <option value="">Automatic</option>
        {formats.map(({ name }) => (
          <option key={name} value={name}>
            {named(name)}
          </option>
        ))}
      </Choice>
      <Choice
        id="import-mapping"
        label="Column settings"
        disabled={working}
        value={choice.mapping}
        onChange={(mapping) => read({ ...choice, mapping })}
      >
        <option value="">Automatic</option>
        {data && <Mappings {...data} />}
      </Choice>
      <Choice
        id="import-category"
        label="Category if it has none"
        disabled={working}
        value={choice.category}
        onChange={(category) => read({ ...choice, category })}
      >
        <option value="">None</option>
        {categories.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Choice>
      {isAdmin && (
        <Choice
          id="import-unknown"
          label="Unknown categories"
          disabled={working}
          value={choice.createCategories}
          onChange={(createCategories) => read({ ...choice, createCategories })}
        >
          <option value="">Ask for each</option>
          <option value="true">Create them</option>
        </Choice>
      )}
      <div>
        <label htmlFor="import-source" className={LABEL}>
          Seller if it has none
        </label>
        <span className="flex gap-2">
          <input
            id="import-source"
            className={INPUT}
            autoComplete="off"
            maxLength={100}
            value={source}
            onChange={(event) => setSource(event.target.value)}
          />
          <Button type="submit" disabled={working || source === choice.source}>
            Use
          </Button>
        </span>
      </div>
    </form>
  );
}
