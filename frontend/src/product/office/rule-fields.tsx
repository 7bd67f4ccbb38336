import { useFormikContext } from "formik";
import { useDeferredValue } from "react";
import { useRuleDeals } from "../../api/office/catalogue";
import { provenPick } from "../../lib/constants.json";
import { counted } from "../../lib/rupees";
import { useCategoryChoices } from "../../shop/categories";
import { Checkbox } from "../../ui/form/choices";
import { FIELD_PAIRS, Field, SelectField } from "../../ui/form/field";
import { changed, listParameters, readQuery } from "../list-state";
import { TagSuggestions, useTagSuggestions } from "./tag-field";

export const EMPTY_RULE = {
  search: "",
  category: "",
  source: "",
  tag: "",
  minPrice: "",
  maxPrice: "",
  minDiscount: "",
  proven: false,
  endingSoon: false,
};

type RuleValues = typeof EMPTY_RULE;

/** Reads the query of a rule. */
export function ruleValues(rule: string | null): RuleValues {
  const query = readQuery(new URLSearchParams(rule ?? ""));
  const text = (value: string | number | undefined) => String(value ?? "");
  return {
    search: text(query.search),
    category: text(query.category),
    source: namesIn(query.source ?? ""),
    tag: text(query.tag?.replaceAll(",", ", ")),
    minPrice: text(query.minPrice),
    maxPrice: text(query.maxPrice),
    minDiscount: text(query.minDiscount),
    proven: query.minProven !== undefined,
    endingSoon: query.endingSoon !== undefined,
  };
}

/** Writes names, one a line, with commas between them; with lines between them if a name has a comma. */
function namesIn(lines: string): string {
  return lines.includes(",") ? `${lines.replaceAll("\n", " | ")} |` : lines.replaceAll("\n", ", ");
}

function linesOf(names: string): string {
  const parts = names.split(names.includes("|") ? "|" : ",").map((name) => name.trim());
  return parts.filter(Boolean).join("\n");
}

/** Writes a rule as the query of a list; empty without filters. */
export function ruleOf(values: RuleValues): string {
  const { search, category, source, tag, minPrice, maxPrice, minDiscount, proven, endingSoon } = values;
  const query = changed(readQuery(new URLSearchParams()), {
    ...{ search, category, tag, minPrice, maxPrice, minDiscount },
    source: linesOf(source),
    minProven: proven ? provenPick : "",
    endingSoon: endingSoon ? "true" : "",
  });
  return new URLSearchParams(listParameters(query)).toString();
}

/** The filters of a rule, which deals must all pass. */
export function RuleFields() {
  const { values, errors, submitCount, setFieldValue } = useFormikContext<RuleValues & { rule?: string }>();
  const suggestions = useTagSuggestions(values.tag, true);
  const categories = useCategoryChoices();
  const flag = (name: "proven" | "endingSoon", label: string) => (
    <Checkbox checked={values[name]} onChange={({ target }) => void setFieldValue(name, target.checked)}>
      {label}
    </Checkbox>
  );
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="pb-1 text-sm font-semibold">Deals matching all of these</legend>
      <div className="grid gap-2">
        <Field name="tag" label="Tags" hint="Separate several with commas" autoComplete="off" />
        <TagSuggestions suggestions={suggestions} onChosen={(text) => void setFieldValue("tag", text)} />
      </div>
      <SelectField name="category" label="Category">
        <option value="">Any</option>
        {categories.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <div className={FIELD_PAIRS}>
        <Field name="source" label="Seller" hint="Separate several with commas" autoComplete="off" />
        <Field name="search" label="Words" autoComplete="off" />
        <Field name="minPrice" label="Lowest price" unit="₹" inputMode="decimal" autoComplete="off" />
        <Field name="maxPrice" label="Highest price" unit="₹" inputMode="decimal" autoComplete="off" />
        <Field name="minDiscount" label="Lowest discount" unit="%" inputMode="decimal" autoComplete="off" />
      </div>
      <div className="flex flex-wrap gap-3">
        {flag("proven", "Proven cheaper")}
        {flag("endingSoon", "Ending soon")}
      </div>
      {submitCount > 0 && errors.rule !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {errors.rule}
        </p>
      )}
    </fieldset>
  );
}

/** Says how many deals the rule finds now, with the first titles. */
export function FoundByRule({ rule }: { rule: string }) {
  const { data, error } = useRuleDeals(useDeferredValue(rule));
  const total = data?.meta.total;
  return (
    <div role="status" className="rounded bg-sunk px-3 py-2 text-sm empty:hidden">
      {!error && data && total !== undefined && (
        <>
          <b>{total === 0 ? "No deals now" : `${counted(total, "deal", "deals")} now`}</b>
          {data.data.map(({ _id, title }) => (
            <span key={_id} className="block truncate text-ink-2">
              {title}
            </span>
          ))}
          {total > data.data.length && <span className="text-ink-3">…</span>}
        </>
      )}
    </div>
  );
}
