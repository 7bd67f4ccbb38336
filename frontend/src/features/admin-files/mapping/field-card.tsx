import { FieldArray, useFormikContext } from "formik";
import type { FilePreview } from "../../../api/types";
import { counted } from "../../../lib/rupees";
import { truncate } from "../../../lib/truncate";
import { useCategoryChoices } from "../../../shop/categories";
import { Button } from "../../../ui/button";
import { Field, SelectField } from "../../../ui/form/field";
import { isDate, type MappedField, withoutOptions } from "./fields";
import type { MappingValues, RuleValues } from "./values";

const COLUMN = "import-column grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2 pt-2";

interface FieldCardProps {
  field: MappedField;
  preview: FilePreview;
}

/** Origin of one field: its columns, how they are read, and what the first row becomes. */
export function FieldCard({ field: { name, label, readings, needed }, preview }: FieldCardProps) {
  const { values } = useFormikContext<MappingValues>();
  const rule = values[name];
  if (!rule) {
    return null;
  }
  const names = [...new Set(preview.columns.map((column) => column.name))].filter((column) => column !== "");
  return (
    <li className="import-field rounded border border-line p-3">
      <fieldset>
        <legend className="font-semibold">
          {label} {needed && <span className="hint font-normal">needed</span>}
        </legend>
        <FieldArray name={`${name}.columns`}>
          {({ push, remove }) => (
            <>
              {rule.columns.map((column, at) => (
                // Columns have no other identity than their place.
                // biome-ignore lint/suspicious/noArrayIndexKey: the order is the value
                <span key={at} className={COLUMN}>
                  <SelectField
                    name={`${name}.columns.${at}`}
                    label={at === 0 ? `Column of ${label}` : columnLabel(name, label, at)}
                  >
                    <option value="">No column</option>
                    {(column === "" || names.includes(column) ? names : [column, ...names]).map((it) => (
                      <option key={it}>{it}</option>
                    ))}
                  </SelectField>
                  {at > 0 && (
                    <Button
                      variant="plain"
                      aria-label={`Remove column ${at + 1} of ${label}`}
                      onClick={() => remove(at)}
                    >
                      Remove
                    </Button>
                  )}
                </span>
              ))}
              <Question name={name} label={label} preview={preview} />
              <Sample name={name} columns={rule.columns} preview={preview} />
              <details className="disclosure" open={rule.constant !== "" || rule.prefix !== "" || undefined}>
                <summary>{`More about ${label}`}</summary>
                <div className="stack">
                  {rule.columns[0] !== "" && (
                    <div>
                      <Button variant="plain" onClick={() => push("")}>
                        {name === "images" ? "Add a column" : "Add a column for empty cells"}
                      </Button>
                    </div>
                  )}
                  <Readings name={name} label={label} readings={readings} rule={rule} />
                </div>
              </details>
            </>
          )}
        </FieldArray>
      </fieldset>
    </li>
  );
}

function columnLabel(name: string, label: string, at: number): string {
  return name === "images" ? `Column ${at + 1} of ${label}` : `Column ${at + 1} of ${label}, if empty`;
}

/** Columns that could each be this field, to choose one; otherwise the reason for the column that was taken. */
function Question({ name, label, preview }: { name: string; label: string; preview: FilePreview }) {
  const { setFieldValue } = useFormikContext<MappingValues>();
  const question = preview.questions.find(({ field }) => field === name);
  const reason = preview.reasons.find(({ field }) => field === name);
  if (!question) {
    return reason ? <p className="hint pt-1">{`Taken because ${reason.message}.`}</p> : null;
  }
  return (
    <div className="grid gap-2 pt-2">
      <p className="text-sm text-danger">{`Each of these columns could be the ${label.toLowerCase()}. Choose one:`}</p>
      {question.columns.map((column) => (
        <Button
          key={column}
          className="block py-2 text-start wrap-anywhere"
          onClick={({ currentTarget }) => {
            void setFieldValue(`${name}.columns`, [column]);
            // The button goes with the question.
            currentTarget.closest("fieldset")?.querySelector("select")?.focus();
          }}
        >
          <span className="block">{column}</span>{" "}
          <span className="hint block font-normal">{truncate(cellIn([column], preview), 80)}</span>
        </Button>
      ))}
    </div>
  );
}

interface SampleProps {
  name: string;
  columns: readonly string[];
  preview: FilePreview;
}

/** Value of the first valid row; while there is none, the problem or the cell of the first row. */
function Sample({ name, columns, preview }: SampleProps) {
  if (preview.missing.includes(name)) {
    return <p className="pt-1 text-sm text-danger">Choose a column, or a value for all rows under “More”.</p>;
  }
  if (preview.questions.some(({ field }) => field === name)) {
    return null;
  }
  const row = preview.rows.find(({ product }) => product !== null) ?? preview.rows[0];
  const problem = row?.problems.find(({ field }) => field === name);
  if (row && problem) {
    return (
      <p className="pt-1 text-sm text-danger break-words">{`Row ${row.row}: ${withoutOptions(problem.message)}`}</p>
    );
  }
  const shown = row?.product ? valueText(row.product[name]) : cellIn(columns, preview);
  return (
    <p className="hint break-words pt-1">{row && shown !== "" && `Row ${row.row}: ${truncate(shown, 80)}`}</p>
  );
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) {
    return value.length > 0 ? counted(value.length, "value", "values") : "";
  }
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Returns the first row's cell in the first of the columns that has one. */
function cellIn(names: readonly string[], { columns }: FilePreview): string {
  const cells = names.map((name) => columns.find((column) => column.name === name && column.first));
  return cells.find((cell) => cell)?.first ?? "";
}

interface ReadingsProps extends Pick<MappedField, "name" | "label" | "readings"> {
  rule: RuleValues;
}

function Readings({ name, label, readings, rule }: ReadingsProps) {
  const known = readings.some(([value]) => value === rule.as);
  return (
    <>
      {(readings.length > 1 || !known) && (
        <SelectField name={`${name}.as`} label={`${label} is read as`}>
          {readings.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
          {!known && <option>{rule.as}</option>}
        </SelectField>
      )}
      {isDate(rule.as) && (
        <SelectField name={`${name}.order`} label={`Order in ${label}`}>
          <option value="">As the file shows</option>
          <option value="dmy">Day first, like 31/12/2026</option>
          <option value="mdy">Month first, like 12/31/2026</option>
        </SelectField>
      )}
      {name === "affiliateLink" && (
        <Field
          name={`${name}.prefix`}
          label="Text before each link"
          hint="Like https://go.example/?url="
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={2000}
        />
      )}
      <Constant name={name} label={label} />
      {name === "category" && rule.table.length > 0 && (
        <details className="disclosure">
          <summary>{counted(rule.table.length, "name of a category", "names of categories")}</summary>
          <div className="stack">
            {rule.table.map((row, at) => (
              <SelectField key={row.name} name={`${name}.table.${at}.to`} label={row.name}>
                {row.to.startsWith("+") && <option value={row.to}>{`Create “${row.to.slice(1)}”`}</option>}
                <Categories />
              </SelectField>
            ))}
          </div>
        </details>
      )}
    </>
  );
}

/** The value of rows whose columns have none. */
function Constant({ name, label }: { name: string; label: string }) {
  const constant = { name: `${name}.constant`, label: `${label} for rows without one` };
  if (name === "category") {
    return (
      <SelectField {...constant}>
        <Categories />
      </SelectField>
    );
  }
  if (name === "status") {
    return (
      <SelectField {...constant}>
        <option value="">None</option>
        <option value="live">Live</option>
        <option value="draft">Draft</option>
      </SelectField>
    );
  }
  return <Field {...constant} autoComplete="off" maxLength={2000} />;
}

function Categories() {
  const categories = useCategoryChoices();
  return (
    <>
      <option value="">None</option>
      {categories.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </>
  );
}
