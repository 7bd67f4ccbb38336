import { useFormikContext } from "formik";
import type { ReactNode } from "react";
import { Form } from "../../../ui/form/form";
import { FormSaveBar } from "../../../ui/form/form-save-bar";

interface SectionFormProps {
  /** Names what is saved: each section of the settings is saved by its own button. */
  submit: string;
  error?: string | undefined;
  children: ReactNode;
}

/** The form of one section: Enter saves it alone, and leaving the screen asks while something is not saved. */
export function SectionForm({ submit, error, children }: SectionFormProps) {
  const { dirty } = useFormikContext();
  return (
    <Form wide error={error} submit={submit} pending="Saving..." beside={<NotSaved is={dirty} />}>
      <FormSaveBar own />
      {children}
    </Form>
  );
}

/** Says beside a button that there is something to save. */
export function NotSaved({ is }: { is: boolean }) {
  return (
    <p role="status" className="self-center text-ink-3 text-sm empty:hidden">
      {is && "Not saved yet"}
    </p>
  );
}
