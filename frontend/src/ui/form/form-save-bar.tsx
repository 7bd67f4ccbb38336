import { useFormikContext } from "formik";
import { useUnsaved } from "./save-bar";

interface FormSaveBarProps {
  /** There are unsaved changes even if the form is as it was at its beginning. */
  unsaved?: boolean;
  kept?: boolean;
  /** Called when the changes are discarded; returns how to undo what it does. */
  onDiscard?: () => () => void;
}

/** Shows the save bar of the screen while the form around it has unsaved changes. */
export function FormSaveBar({ unsaved = false, kept = false, onDiscard }: FormSaveBarProps) {
  const { dirty, values, submitForm, resetForm, setValues } = useFormikContext<object>();
  const discard = () => {
    const typed = values;
    const undo = onDiscard?.();
    resetForm();
    return () => {
      undo?.();
      void setValues(typed);
    };
  };
  useUnsaved(dirty || unsaved ? { save: submitForm, discard, kept } : undefined);
  return null;
}
