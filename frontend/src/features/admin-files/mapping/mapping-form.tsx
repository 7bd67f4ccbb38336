import { Form, useFormikContext } from "formik";
import { useEffect, useRef, useState } from "react";
import type { FilePreview } from "../../../api/types";
import { Button } from "../../../ui/button";
import { classNames } from "../../../ui/class-names";
import { Block } from "../../../ui/office-screen";
import { FieldCard } from "./field-card";
import { FIELDS } from "./fields";
import { mappingSchema } from "./schema";
import type { MappingValues } from "./values";

const CARDS = "grid grid-cols-[repeat(auto-fill,minmax(min(18rem,100%),1fr))] gap-3";

interface MappingFormProps {
  preview: FilePreview;
  /** The rows are shown on request, because the file is large. */
  onRequest: boolean;
  pending: boolean;
  onChange: (values: MappingValues, valid: boolean) => void;
}

/** Which field comes from which column, and how. Each change shows the rows anew. */
export function MappingForm({ preview, onRequest, pending, onChange }: MappingFormProps) {
  const { values } = useFormikContext<MappingValues>();
  const seen = useRef(values);
  useEffect(() => {
    if (seen.current !== values) {
      seen.current = values;
      onChange(values, mappingSchema.isValidSync(values));
    }
  }, [values, onChange]);
  // A card does not move while its columns are chosen.
  const [first] = useState(preview);
  const isDoubtful = (name: string) =>
    isRefused(name, first) || first.reasons.some(({ field }) => field === name);
  const doubtful = FIELDS.filter(({ name }) => isDoubtful(name));
  const others = FIELDS.filter(({ name }) => !isDoubtful(name));
  const known = others.flatMap(({ name, label }) => {
    const [column = ""] = values[name]?.columns ?? [];
    return column === "" ? [] : [`${label} from “${column}”`];
  });
  const [open, setOpen] = useState(false);
  if (!open && others.some(({ name }) => isRefused(name, preview))) {
    setOpen(true);
  }
  return (
    <Block title="Which column is which field" className="stack">
      <Form noValidate className="stack">
        {known.length > 0 && <p className="break-words text-ink-2">{`Recognized: ${known.join(", ")}.`}</p>}
        {doubtful.length > 0 && (
          <ul className={CARDS}>
            {doubtful.map((field) => (
              <FieldCard key={field.name} field={field} preview={preview} />
            ))}
          </ul>
        )}
        <details className="disclosure" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{doubtful.length === 0 ? "Change the columns" : "Change the other columns"}</summary>
          <ul className={classNames(CARDS, "pt-3")}>
            {others.map((field) => (
              <FieldCard key={field.name} field={field} preview={preview} />
            ))}
          </ul>
        </details>
        {onRequest && (
          <div>
            <Button type="submit" disabled={pending}>
              Show the rows
            </Button>
          </div>
        )}
      </Form>
    </Block>
  );
}

/** Returns true if rows are refused for this field, or its column has to be chosen. */
function isRefused(name: string, { missing, questions, problems }: FilePreview): boolean {
  return missing.includes(name) || [...questions, ...problems].some(({ field }) => field === name);
}
