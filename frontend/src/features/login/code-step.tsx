import { ApiError } from "../../api/client";
import { signInWithCode } from "../../api/factor";
import { CodeForm } from "../../session/code-form";
import { Button } from "../../ui/button";

interface CodeStepProps {
  /** Handle of the sign-in. */
  pending: string;
  onToken: (token: string) => void;
  /** Called with a message when the password has to be entered again, without one on Back. */
  onEnded: (message?: string) => void;
}

/** Second step of a sign-in: the code of an app. */
export function CodeStep({ pending, onToken, onEnded }: CodeStepProps) {
  const send = async (code: string, remember: boolean) => {
    try {
      onToken((await signInWithCode(pending, code, remember)).token);
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === "sign_in_ended") {
        onEnded(failure.message);
        return;
      }
      throw failure;
    }
  };
  return (
    <CodeForm
      intro="Enter the code from your app."
      submit="Verify"
      onCode={send}
      remembering
      beside={
        <Button onClick={() => onEnded()} className="wide:min-h-11">
          Back
        </Button>
      }
    />
  );
}
