import { useState } from "react";
import { failureText } from "../../../api/failure";
import { Button } from "../../../ui/button";

interface TrialProps {
  /** Text of the button, and in the place of the result meanwhile. */
  label: string;
  pending: string;
  /** Returns what happened, in a sentence. */
  run: () => Promise<string>;
}

/** A button that tries something, and says below what happened. */
export function Trial({ label, pending, run }: TrialProps) {
  const [message, setMessage] = useState<{ text: string; failed: boolean }>();
  const [isBusy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    setMessage(undefined);
    try {
      setMessage({ text: await run(), failed: false });
    } catch (error) {
      setMessage({ text: failureText(error), failed: true });
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button disabled={isBusy} onClick={() => void start()} className="self-start">
        {label}
      </Button>
      <p role="status" className={message?.failed ? "text-sm text-danger" : "text-sm"}>
        {isBusy ? pending : message?.text}
      </p>
    </>
  );
}
