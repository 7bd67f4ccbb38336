import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { checkSetupLink, setUp } from "../../api/accounts";
import { failureText, fieldErrors } from "../../api/failure";
import { office } from "../../lib/office-paths";
import { registerSchema } from "../../schemas/account";
import { useSession } from "../../session/session";
import { Field, PasswordField } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { SecretLink } from "./secret-link";

const EMPTY = { username: "", email: "", password: "" };

const MISSING = {
  title: "This page needs a setup link.",
  remedy:
    "Open the whole link that `deals serve` printed when it started, or run `deals setup-link` on the server to get a new one.",
};

/** Makes the first administrator, by the setup link that the server printed. */
export function FirstStartPage() {
  return (
    <SecretLink title="Set up this shop" check={checkSetupLink} missing={MISSING}>
      {(secret) => <AccountForm secret={secret} />}
    </SecretLink>
  );
}

function AccountForm({ secret }: { secret: string }) {
  const { begin } = useSession();
  const navigate = useNavigate();
  const [error, setError] = useState<string>();

  const submit = async (form: typeof EMPTY, { setErrors }: FormikHelpers<typeof EMPTY>) => {
    setError(undefined);
    try {
      const { token } = await setUp(secret, { ...form, email: form.email.trim() });
      begin(token);
      // The link is used up: it must not stay in the history.
      navigate(office.setup, { replace: true });
    } catch (failure) {
      const fields = fieldErrors(failure);
      setErrors(fields);
      setError(Object.keys(fields).length === 0 ? failureText(failure) : undefined);
    }
  };

  return (
    <>
      <p className="max-w-[36rem] text-base text-ink-2">
        Welcome. Begin with an account for yourself: it adds deals and changes the shop. A few short steps
        follow, each of which may wait.
      </p>
      <Formik initialValues={EMPTY} validationSchema={registerSchema} onSubmit={submit}>
        <Form error={error} submit="Make my account" pending="Making your account...">
          <Field
            name="username"
            label="Your name"
            autoComplete="nickname"
            hint="3 letters or more. Visitors do not see it."
          />
          <Field
            name="email"
            label="Email"
            type="email"
            autoComplete="username"
            inputMode="email"
            hint="You sign in with it."
          />
          <PasswordField
            name="password"
            label="Password"
            autoComplete="new-password"
            hint="At least 8 characters; a few words work well."
          />
        </Form>
      </Formik>
    </>
  );
}
