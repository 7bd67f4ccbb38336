import { Form as FormikForm, useFormikContext } from "formik";
import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "../button";
import { classNames } from "../class-names";
import { useClearFailure } from "../toast/toast";

interface FormProps {
  children: ReactNode;
  /** Error of the form, not of a field. */
  error?: string | undefined;
  submit?: string;
  beside?: ReactNode;
  /** Text of the button while the request is pending. */
  pending?: string;
  /** It deletes something for good. */
  danger?: boolean;
  /** As wide as what it is in. */
  wide?: boolean;
  /** The save bar of the screen is its only visible button. */
  bar?: boolean;
}

/** A form that focuses its first invalid field on submit. */
export function Form({
  children,
  error,
  submit,
  pending,
  beside,
  danger = false,
  wide = false,
  bar = false,
}: FormProps) {
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
    <FormikForm noValidate className={wide ? undefined : "max-w-[30rem]"}>
      <div ref={form} className="flex flex-col gap-4">
        {children}
        <p role="alert" className="min-h-5 text-sm text-danger empty:hidden">
          {error}
        </p>
        {bar ? (
          // Enter submits only a form with such a button.
          <button type="submit" hidden />
        ) : (
          <div className="flex flex-wrap gap-2">
            <Button
              type="submit"
              variant={danger ? "danger" : "primary"}
              disabled={isSubmitting}
              // Keeps the focus: an error of the field that is left would move the button before the click ends.
              onMouseDown={(event) => event.preventDefault()}
              className={classNames("flex-1 wide:min-h-11", wide && "wide:flex-none wide:min-w-60")}
            >
              {isSubmitting ? pending : submit}
            </Button>
            {beside}
          </div>
        )}
      </div>
    </FormikForm>
  );
}
