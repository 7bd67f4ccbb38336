import { useFormikContext } from "formik";
import { useUnsaved } from "./save-bar";

interface FormSaveBarProps {
  /** There are unsaved changes even if the form is as it was at its beginning. */
  unsaved?: boolean;
  kept?: boolean;
  /** The form has a button of its own, and its screen only asks before it is left. */
  own?: boolean;
  /** Text of the bar's button, which is there from the beginning, and while it saves. */
  submit?: string;
  pending?: string;
  /** Called when the changes are discarded; returns how to undo what it does. */
  onDiscard?: () => () => void;
}

/** Shows the save bar of the screen while the form around it has unsaved changes. */
export function FormSaveBar({
  unsaved = false,
  kept = false,
  own = false,
  submit,
  pending,
  onDiscard,
}: FormSaveBarProps) {
  const { isSubmitting: busy, dirty, values, submitForm, resetForm, setValues } = useFormikContext<object>();
  const discard = () => {
    const typed = values;
    const undo = onDiscard?.();
    resetForm();
    return () => {
      undo?.();
      void setValues(typed);
    };
  };
  const changed = dirty || unsaved;
  const texts = { ...(submit && { submit }), ...(pending && { pending }) };
  useUnsaved(
    changed || submit ? { save: submitForm, discard, kept, own, busy, fresh: !changed, ...texts } : undefined,
  );
  return null;
}
