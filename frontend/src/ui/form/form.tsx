import { Form as FormikForm, useFormikContext } from "formik";
import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "../button";
import { useClearFailure } from "../toast/toast";

interface FormProps {
  children: ReactNode;
  /** What went wrong with the form as a whole. */
  error?: string | undefined;
  submit: string;
  /** What stands beside the button. */
  beside?: ReactNode;
  /** What the button says while the answer is awaited. */
  pending: string;
}

/** A form whose first wrong field takes the focus when it can't be sent. */
export function Form({ children, error, submit, pending, beside }: FormProps) {
  const { submitCount, isSubmitting, errors } = useFormikContext();
  const form = useRef<HTMLDivElement>(null);
  const invalid = Object.keys(errors).length > 0;

  const clearFailure = useClearFailure();
  useEffect(() => {
    if (isSubmitting) {
      clearFailure();
    }
  }, [isSubmitting, clearFailure]);

  useEffect(() => {
    if (submitCount > 0 && !isSubmitting && invalid) {
      form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
    }
  }, [submitCount, isSubmitting, invalid]);

  return (
    <FormikForm noValidate className="max-w-[30rem]">
      <div ref={form} className="flex flex-col gap-4">
        {children}
        <p role="alert" className="min-h-5 text-sm text-danger empty:hidden">
          {error}
        </p>
        <div className="flex gap-2">
          <Button type="submit" look="primary" disabled={isSubmitting} className="flex-1 wide:min-h-11">
            {isSubmitting ? pending : submit}
          </Button>
          {beside}
        </div>
      </div>
    </FormikForm>
  );
}
