import { useId } from "react";
import { confirmSession } from "../api/factor";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { CodeForm } from "./code-form";

interface CodeDialogProps {
  onDone: () => void;
  onCancel: () => void;
}

/** Asks for a code over a screen, for a change that needs one. */
export default function CodeDialog({ onDone, onCancel }: CodeDialogProps) {
  const title = useId();
  return (
    <Dialog labelledBy={title} className="confirm" onClose={onCancel}>
      <h2 id={title} className="text-base font-semibold">
        Enter the code from your app
      </h2>
      <p className="py-3 text-sm text-ink-2">This change asks for it again.</p>
      <CodeForm
        submit="Confirm"
        onCode={async (code) => {
          await confirmSession(code);
          onDone();
        }}
        beside={
          <Button onClick={onCancel} className="wide:min-h-11">
            Cancel
          </Button>
        }
      />
    </Dialog>
  );
}
