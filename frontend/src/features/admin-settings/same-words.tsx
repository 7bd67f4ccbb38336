import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { TextAreaField } from "../../ui/form/field";
import type { Save } from "./save";
import { SectionForm } from "./sections/section-form";

interface Values {
  sameWords: string;
}

/** The owner's words for the same thing; the server checks the lines (`domain/settings/same_words.rs`). */
export function SameWords({ lines, save }: { lines: string; save: Save }) {
  const [initial] = useState<Values>({ sameWords: lines });
  const submit = async (values: Values, { setErrors, resetForm }: FormikHelpers<Values>) => {
    const refusal = await save({ ...values });
    if (refusal) {
      const { sameWords = refusal.text } = refusal.fields;
      setErrors({ sameWords });
    } else {
      resetForm({ values });
    }
  };
  return (
    <section id="same-words" className="panel">
      <h2>Words for the same thing</h2>
      <p className="text-sm text-ink-2">
        A search for one word finds the others too. The shop knows many already, like sari and saree; add
        yours, a line each.
      </p>
      <Formik initialValues={initial} onSubmit={submit}>
        <SectionForm submit="Save search words">
          <TextAreaField
            name="sameWords"
            label="Your words"
            hint="lugda = saree: each finds the other. kurta > anarkali: a search for kurta finds anarkali too, not the other way."
            rows={6}
            spellCheck={false}
          />
        </SectionForm>
      </Formik>
    </section>
  );
}
