import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { ApiError } from "../../../api/client";
import { beginFactor, enableFactor } from "../../../api/factor";
import { failureText, fieldErrors } from "../../../api/failure";
import type { Enrolment } from "../../../api/types";
import { passwordSchema } from "../../../schemas/account";
import { CodeForm } from "../../../session/code-form";
import { Button } from "../../../ui/button";
import { PasswordField } from "../../../ui/form/field";
import { Form } from "../../../ui/form/form";
import { Qr } from "./qr";

const EMPTY = { password: "" };

/** Sets a second factor up: the password, the app, and its first code. */
export function Enrol({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const [open, setOpen] = useState(false);
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [error, setError] = useState<string>();
  const close = () => {
    setEnrolment(undefined);
    setOpen(false);
  };
  if (enrolment) {
    return <FirstCode of={enrolment} onCodes={onCodes} onCancel={close} />;
  }
  if (!open) {
    return (
      <Button variant="primary" className="self-start" onClick={() => setOpen(true)}>
        Set up
      </Button>
    );
  }
  const submit = async ({ password }: typeof EMPTY, { setErrors }: FormikHelpers<typeof EMPTY>) => {
    setError(undefined);
    try {
      setEnrolment(await beginFactor(password));
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === "wrong_credentials") {
        setErrors({ password: "This is not your password." });
        return;
      }
      setErrors(fieldErrors(failure));
      setError(failureText(failure));
    }
  };
  return (
    <Formik initialValues={EMPTY} validationSchema={passwordSchema} onSubmit={submit}>
      <Form
        error={error}
        submit="Continue"
        pending="Continuing..."
        beside={<Button onClick={close}>Cancel</Button>}
      >
        <PasswordField name="password" label="Your password" autoComplete="current-password" autoFocus />
      </Form>
    </Formik>
  );
}

interface FirstCodeProps {
  of: Enrolment;
  onCodes: (codes: string[]) => void;
  onCancel: () => void;
}

function FirstCode({ of: { secret, address, qr }, onCodes, onCancel }: FirstCodeProps) {
  return (
    <ol className="flex max-w-[30rem] list-decimal flex-col gap-6 pl-5 marker:font-semibold">
      <li>
        <p>
          Scan this with an authenticator app, such as Google Authenticator, Aegis or the iPhone's Passwords.
        </p>
        <Qr of={qr} />
        <p className="hint">
          On this phone,{" "}
          <a className="link" href={address}>
            open it in the app
          </a>
          . Or type this key:
        </p>
        <code className="block pt-1 text-base break-all">{groups(secret)}</code>
      </li>
      <li>
        <p className="pb-2">Enter the code that the app shows.</p>
        <CodeForm
          submit="Switch on"
          recovery={false}
          onCode={async (code) => onCodes((await enableFactor(code)).recoveryCodes)}
          beside={
            <Button onClick={onCancel} className="wide:min-h-11">
              Cancel
            </Button>
          }
        />
      </li>
    </ol>
  );
}

/** Separates the key into groups of four, as apps show it. */
function groups(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(" ") ?? secret;
}
