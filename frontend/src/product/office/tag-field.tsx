import { useFormikContext } from "formik";
import { useState } from "react";
import { useTags } from "../../api/office/catalogue";
import type { ProductFormValues } from "../../schemas/product";
import { fields } from "../../shop/fields.json";
import { tagsOf } from "../../shop/tags";
import { Button } from "../../ui/button";
import { Field } from "../../ui/form/field";

/** Tags that are suggested at once. */
const SUGGESTED = 6;

/** The tags as one text; those in use that begin like the last one are suggested. */
export function TagField() {
  const { values, setFieldValue } = useFormikContext<ProductFormValues>();
  const [reached, setReached] = useState(false);
  const suggestions = useTagSuggestions(values.tags, reached);
  return (
    <div className="grid gap-2">
      <Field
        name="tags"
        label={fields.tags.label}
        hint="Separate several with commas, like Diwali, hostel"
        autoComplete="off"
        onFocus={() => setReached(true)}
      />
      <TagSuggestions suggestions={suggestions} onChosen={(tags) => void setFieldValue("tags", tags)} />
    </div>
  );
}

/** A text with one more tag, for each suggestion. */
type Suggestion = readonly [tag: string, text: string];

/** Returns tags in use that begin like the last tag of a text, and are not in it. */
export function useTagSuggestions(text: string, wanted: boolean): Suggestion[] {
  const { data } = useTags(wanted);
  const start = text.lastIndexOf(",") + 1;
  const begun = text.slice(start).trim().toLowerCase();
  const known = new Set(tagsOf(text).map((tag) => tag.toLowerCase()));
  const others = tagsOf(text.slice(0, start));
  const fitting = (data?.data ?? []).filter(({ name }) => {
    const key = name.toLowerCase();
    return key.startsWith(begun) && !known.has(key);
  });
  return fitting.slice(0, SUGGESTED).map(({ name }) => [name, [...others, name, ""].join(", ")]);
}

export function TagSuggestions(props: { suggestions: Suggestion[]; onChosen: (text: string) => void }) {
  return (
    <ul aria-label="Tags in use" className="flex flex-wrap gap-2 empty:hidden">
      {props.suggestions.map(([tag, text]) => (
        <li key={tag}>
          <Button
            aria-label={`Add the tag ${tag}`}
            onClick={({ currentTarget }) => {
              // The button goes, and the next tag may be typed.
              currentTarget.closest("ul")?.parentElement?.querySelector("input")?.focus();
              props.onChosen(text);
            }}
          >
            {tag}
          </Button>
        </li>
      ))}
    </ul>
  );
}
