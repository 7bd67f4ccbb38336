import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { useNavigate, useParams } from "react-router-dom";
import { resetPassword } from "../../api/accounts";
import { failureText, fieldErrors } from "../../api/failure";
import { store, stored } from "../../lib/device/storage";
import { paths } from "../../lib/paths";
import { resetPasswordSchema } from "../../schemas/account";
import { resetOf } from "../../session/handles";
import { rememberTyped, useTyped } from "../../session/just-typed";
import { Field, PasswordField } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { Screen } from "../../ui/screen";
import { useToast } from "../../ui/toast/toast";

interface ResetForm {
  email: string;
  code: string;
  password: string;
}

export function ResetPasswordPage() {
  const { email = "" } = useParams();
  const navigate = useNavigate();
  const toast = useToast();
  const signInAsTyped = useTyped();
  const [error, setError] = useState<string>();

  const submit = async (form: ResetForm, { setErrors }: FormikHelpers<ResetForm>) => {
    setError(undefined);
    try {
      const request = stored(resetOf(email));
      const { message } = await resetPassword({ ...form, code: form.code.trim() }, request);
      store(resetOf(email), null);
      rememberTyped(email, form.password);
      await signInAsTyped(email);
      toast({ title: message });
      // Which leads on whoever is signed in.
      navigate(paths.login, { replace: true, state: { email } });
    } catch (failure) {
      setErrors(fieldErrors(failure));
      setError(failureText(failure));
    }
  };

  return (
    <Screen title="Choose a new password">
      <p className="max-w-[30rem] text-base text-ink-2">
        If <strong className="font-semibold break-all text-ink">{email}</strong> has an account, a code is on
        its way.
      </p>
      <Formik
        initialValues={{ email, code: "", password: "" }}
        validationSchema={resetPasswordSchema}
        onSubmit={submit}
      >
        <Form error={error} submit="Change password" pending="Changing...">
          <Field
            name="code"
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            className="tabular max-w-40"
          />
          <PasswordField name="password" label="New password" autoComplete="new-password" />
        </Form>
      </Formik>
    </Screen>
  );
}
