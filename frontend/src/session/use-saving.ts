import type { FormikErrors, FormikHelpers } from "formik";
import { useState } from "react";
import { failureText, fieldErrors } from "../api/failure";
import { useToast } from "../ui/toast/toast";

/** Returns the function that saves the values of a form, and says so if there are words for it, and why the last try failed. */
export function useSaving<Values>(
  save: (values: Values) => Promise<unknown>,
  done?: (values: Values) => string,
  onDone?: (values: Values) => void,
) {
  const [error, setError] = useState<string>();
  const toast = useToast();
  const submit = async (values: Values, { resetForm, setErrors }: FormikHelpers<Values>) => {
    setError(undefined);
    try {
      await save(values);
      if (done) {
        toast({ title: done(values) });
      }
      resetForm();
      onDone?.(values);
    } catch (failure) {
      setErrors(fieldErrors(failure) as FormikErrors<Values>);
      setError(failureText(failure));
    }
  };
  return { submit, error };
}
