import { useEffect, useState } from "react";
import { useMappings } from "../../api/office/files";
import { categories } from "../../lib/constants.json";
import { Button } from "../../ui/button";
import { INPUT, LABEL, SelectInput } from "../../ui/form/field";
import { FORMATS, formatText } from "./findings";
import type { ImportState } from "./use-import";

/** Returns a format's name to begin a line. */
function named(format: string): string {
  return formatText(format)
    .replace(/^an? /, "")
    .replace(/^\w/, (letter) => letter.toUpperCase());
}

/** How the file is read: format, mapping, and what the file does not say. */
export function ReadingForm({ state: { choice, working, read } }: { state: ImportState }) {
  const { data } = useMappings();
  const [source, setSource] = useState(choice.source);
  useEffect(() => setSource(choice.source), [choice.source]);
  return (
    <form
      className="import-reading"
      onSubmit={(event) => {
        event.preventDefault();
        read({ ...choice, source });
      }}
    >
      <div>
        <label htmlFor="import-format" className={LABEL}>
          Format
        </label>
        <SelectInput
          id="import-format"
          disabled={working}
          value={choice.format}
          onChange={(event) => read({ ...choice, format: event.target.value })}
        >
          <option value="">As recognized</option>
          {Object.keys(FORMATS).map((name) => (
            <option key={name} value={name}>
              {named(name)}
            </option>
          ))}
        </SelectInput>
      </div>
      <div>
        <label htmlFor="import-mapping" className={LABEL}>
          Mapping
        </label>
        <SelectInput
          id="import-mapping"
          disabled={working}
          value={choice.mapping}
          onChange={(event) => read({ ...choice, mapping: event.target.value })}
        >
          <option value="">The format’s own</option>
          {data && data.saved.length > 0 && (
            <optgroup label="Saved">
              {data.saved.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </optgroup>
          )}
          <optgroup label="Of formats, to copy and change">
            {data?.presets.map((name) => (
              <option key={name} value={name}>
                {named(name)}
              </option>
            ))}
          </optgroup>
        </SelectInput>
      </div>
      <div>
        <label htmlFor="import-category" className={LABEL}>
          Category if it has none
        </label>
        <SelectInput
          id="import-category"
          disabled={working}
          value={choice.category}
          onChange={(event) => read({ ...choice, category: event.target.value })}
        >
          <option value="">None</option>
          {categories.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectInput>
      </div>
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
