import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { useNavigate, useParams } from "react-router-dom";
import { resetPassword } from "../../api/accounts";
import { failureText, fieldErrors } from "../../api/failure";
import { codeLength } from "../../lib/constants.json";
import { store, stored } from "../../lib/device/storage";
import { paths } from "../../lib/paths";
import { resetPasswordSchema } from "../../schemas/account";
import { resetOf } from "../../session/handles";
import { rememberPassword, useTypedPassword } from "../../session/typed-password";
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
  const signIn = useTypedPassword();
  const [error, setError] = useState<string>();

  const submit = async (form: ResetForm, { setErrors }: FormikHelpers<ResetForm>) => {
    setError(undefined);
    try {
      const request = stored(resetOf(email));
      const { message } = await resetPassword({ ...form, code: form.code.trim() }, request);
      store(resetOf(email), null);
      rememberPassword(email, form.password);
      await signIn(email);
      toast({ title: message });
      // The login redirects users who are signed in.
      navigate(paths.login, { replace: true, state: { email } });
    } catch (failure) {
      setErrors(fieldErrors(failure));
      setError(failureText(failure));
    }
  };

  return (
    <Screen title="Choose a new password" isForm>
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
            maxLength={codeLength}
            className="tabular max-w-40"
          />
          <PasswordField name="password" label="New password" autoComplete="new-password" />
        </Form>
      </Formik>
    </Screen>
  );
}
