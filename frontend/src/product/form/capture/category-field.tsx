import { useFormikContext } from "formik";
import { useEffect, useRef, useState } from "react";
import { useCategoryLike } from "../../../api/office/catalogue";
import { counted } from "../../../lib/rupees";
import type { ProductFormValues } from "../../../schemas/product";
import { useCategoryChoices } from "../../../shop/categories";
import { fields } from "../../../shop/fields.json";
import { SelectField } from "../../../ui/form/field";

/** Milliseconds after the last letter of a title until a category is suggested for it. */
const TYPED = 500;

export interface CategorySuggestion {
  /** Words that came from outside; without them, the typed title is used. */
  words: string;
  /** Called with all values when a category is suggested to a form in which nothing was typed. */
  onSuggested: (values: ProductFormValues) => void;
}

/** The category, which similar products suggest for a new one. */
export function CategoryField({ suggestion }: { suggestion: CategorySuggestion | undefined }) {
  const { values, touched, dirty, setFieldValue, resetForm } = useFormikContext<ProductFormValues>();
  const categories = useCategoryChoices();
  const isEmpty = values.category === "";
  const title = suggestion && touched.title && isEmpty ? values.title.trim() : "";
  const [asked, setAsked] = useState(suggestion?.words ?? "");
  useEffect(() => {
    const timer = title === "" ? undefined : setTimeout(setAsked, TYPED, title);
    return () => clearTimeout(timer);
  }, [title]);
  const { data } = useCategoryLike(asked);
  const suggested = data?.category ?? undefined;
  const applied = useRef("");
  useEffect(() => {
    // Once for each suggestion, so that it can be refused.
    if (suggested === undefined || applied.current === asked) {
      return;
    }
    applied.current = asked;
    if (isEmpty && dirty) {
      void setFieldValue("category", suggested);
    } else if (isEmpty) {
      const next = { ...values, category: suggested };
      // At once: what is typed before the next render would be lost with new initial values.
      resetForm({ values: next });
      suggestion?.onSuggested(next);
    }
  }, [suggested, asked, isEmpty, dirty, values, suggestion, setFieldValue, resetForm]);
  const hint =
    data && suggested !== undefined && values.category === suggested
      ? { hint: `Suggested by ${counted(data.products, "similar deal", "similar deals")}` }
      : {};
  return (
    <SelectField name="category" label={fields.category.label} {...hint}>
      <option value="">Choose…</option>
      {categories.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}
