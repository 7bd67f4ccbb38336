import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { LoginForm } from "./login-form";

interface SignInAgainProps {
  email: string;
  onCancel: () => void;
}

/** Asks for the password over a screen whose session ended; typed text stays. */
export default function SignInAgain({ email, onCancel }: SignInAgainProps) {
  return (
    <Dialog label="Sign in again" className="confirm" onClose={onCancel}>
      <h2 className="text-base font-semibold">Sign in again</h2>
      <p className="py-3 text-sm text-ink-2">Your session has ended. What you typed is still here.</p>
      {/* Closed by a new session. */}
      <LoginForm email={email} onDone={() => undefined} />
      <Button variant="plain" onClick={onCancel} className="mt-2 w-full">
        Cancel
      </Button>
    </Dialog>
  );
}
