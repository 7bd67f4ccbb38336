import { Formik } from "formik";
import { useState } from "react";
import type { OwnerPage } from "../../api/types";
import { pageSchema } from "../../schemas/shop";
import { Button } from "../../ui/button";
import { Field, TextAreaField } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { FormSaveBar } from "../../ui/form/form-save-bar";

type PageValues = Pick<OwnerPage, "slug" | "title" | "text">;

interface PageFormProps {
  page: PageValues;
  /** Returns the refusal, if any. */
  onSave: (page: PageValues) => Promise<string | undefined>;
  onClose: () => void;
}

export function PageForm({ page, onSave, onClose }: PageFormProps) {
  const [error, setError] = useState<string>();
  return (
    <Formik
      initialValues={page}
      validationSchema={pageSchema}
      onSubmit={async (values) => setError(await onSave(values))}
    >
      <Form
        wide
        error={error}
        submit="Publish"
        pending="Publishing..."
        beside={<Button onClick={onClose}>Close</Button>}
      >
        <FormSaveBar own />
        <Field
          name="slug"
          label="Address"
          hint="The end of /pages/…: small letters, digits or -"
          autoComplete="off"
          readOnly={page.slug !== ""}
        />
        <Field name="title" label="Title" autoComplete="off" />
        <TextAreaField name="text" label="Text in Markdown" rows={16} />
      </Form>
    </Formik>
  );
}
