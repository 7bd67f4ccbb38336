import { type ReactNode, useId, useState } from "react";
import { ApiError } from "../api/client";
import { confirmSession } from "../api/factor";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { CodeForm } from "./code-form";

interface Asked {
  onDone: () => void;
  onCancel: () => void;
}

type Confirmed = <T>(action: () => Promise<T>) => Promise<T>;

/**
 * Returns a function that does an action, and once more after a dialog asked for a code, if the
 * server wants one; and that dialog, which must not be inside a form.
 */
export function useConfirmed(): [Confirmed, ReactNode] {
  const [asked, setAsked] = useState<Asked>();
  const confirmed: Confirmed = async (action) => {
    try {
      return await action();
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.code === "code_needed")) {
        throw failure;
      }
      await new Promise<void>((resolve, reject) =>
        setAsked({ onDone: resolve, onCancel: () => reject(failure) }),
      ).finally(() => setAsked(undefined));
      return action();
    }
  };
  return [confirmed, asked && <CodeDialog {...asked} />];
}

function CodeDialog({ onDone, onCancel }: Asked) {
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
