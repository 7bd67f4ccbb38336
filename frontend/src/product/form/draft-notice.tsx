import { useFormikContext } from "formik";
import { moment } from "../../lib/time";
import { Button } from "../../ui/button";

interface DraftNoticeProps {
  /** Time of the last change (RFC 3339). */
  at: string | undefined;
  onDiscard: () => void;
}

export function DraftNotice({ at, onDiscard }: DraftNoticeProps) {
  const { isSubmitting } = useFormikContext();
  return (
    <div role="status" className="panel mb-4">
      <p className="text-sm">
        {at === undefined
          ? "Here is what you typed earlier and did not save."
          : `Unsaved changes of ${moment(at)} are filled in.`}
      </p>
      <Button disabled={isSubmitting} onClick={onDiscard} className="self-start">
        Discard them
      </Button>
    </div>
  );
}
