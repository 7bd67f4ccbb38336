import { type FormEvent, type ReactNode, useId, useState } from "react";
import { failureText } from "../api/failure";
import { codeLength } from "../lib/constants.json";
import { Button } from "../ui/button";
import { CodeInput } from "../ui/form/code-input";
import { INPUT } from "../ui/form/field";

interface CodeFormProps {
  /** Sentence above the field of the app's code. */
  intro?: string;
  /** Text of the button. */
  submit: string;
  /** Sends the code; a failure is shown, and the field emptied. */
  onCode: (code: string, remember: boolean) => Promise<void>;
  /** Whether a recovery code will do. */
  recovery?: boolean;
  /** Whether this device may be remembered. */
  remembering?: boolean;
  beside?: ReactNode;
}

/** The typed code and its sending. */
function useCode(onCode: (code: string) => Promise<void>) {
  const [code, setCode] = useState("");
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string>();

  const send = async (typed: string) => {
    if (pending) {
      return;
    }
    setPending(true);
    setError(undefined);
    try {
      await onCode(typed);
    } catch (failure) {
      setError(failureText(failure));
      setCode("");
    } finally {
      setPending(false);
    }
  };
  return { code, setCode, pending, error, setError, send };
}

/** Asks for the code of an app, or a recovery code. */
export function CodeForm({
  intro,
  submit,
  onCode,
  recovery = true,
  remembering = false,
  beside,
}: CodeFormProps) {
  const label = useId();
  const [recovering, setRecovering] = useState(false);
  const [remember, setRemember] = useState(false);
  const { code, setCode, pending, error, setError, send } = useCode((code) => onCode(code, remember));

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (recovering ? code.trim() !== "" : code.length === codeLength) {
      void send(code);
    } else {
      setError(recovering ? "Enter one of your recovery codes." : "Please enter the 6-digit code.");
    }
  };

  const swap = () => {
    setRecovering(!recovering);
    setCode("");
    setError(undefined);
  };

  return (
    <form onSubmit={onSubmit} className="flex w-full max-w-[30rem] flex-col gap-4" noValidate>
      {intro !== undefined && (
        <p className="text-base">{recovering ? "Enter one of your recovery codes." : intro}</p>
      )}
      <div className="flex flex-col gap-2">
        <label id={label} htmlFor={`${label}-field`} className="text-sm font-semibold">
          {recovering ? "Recovery code" : "6-digit code"}
        </label>
        {recovering ? (
          <RecoveryInput
            id={`${label}-field`}
            value={code}
            onChange={setCode}
            invalid={error !== undefined}
          />
        ) : (
          <CodeInput
            value={code}
            onChange={setCode}
            {...(remembering ? {} : { onComplete: (typed: string) => void send(typed) })}
            invalid={error !== undefined}
            labelledBy={label}
            autoFocus
          />
        )}
      </div>
      {remembering && <RememberDevice checked={remember} onChange={setRemember} />}
      <p role="alert" className="text-sm text-danger empty:hidden">
        {error}
      </p>
      <div className="flex gap-2">
        <Button type="submit" variant="primary" disabled={pending} className="flex-1 wide:min-h-11">
          {pending ? "Checking..." : submit}
        </Button>
        {beside}
      </div>
      {recovery && (
        <Button variant="plain" onClick={swap} className="self-start px-0">
          {recovering ? "Use the code from the app" : "Use a recovery code"}
        </Button>
      )}
    </form>
  );
}

interface RecoveryInputProps {
  id: string;
  value: string;
  onChange: (value: string) => void;
  invalid: boolean;
}

function RecoveryInput({ id, value, onChange, invalid }: RecoveryInputProps) {
  return (
    <input
      id={id}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      placeholder="XXXX-XXXX-XX"
      aria-invalid={invalid}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      // biome-ignore lint/a11y/noAutofocus: the field replaces the one with the focus
      autoFocus
      className={`${INPUT} font-mono`}
    />
  );
}

function RememberDevice({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <label className="flex min-h-11 items-center gap-2 text-sm">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 accent-accent"
      />
      Remember this device for 30 days
    </label>
  );
}
