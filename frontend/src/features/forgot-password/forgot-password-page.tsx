import { Formik } from "formik";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { forgotPassword } from "../../api/accounts";
import { failureText } from "../../api/failure";
import { store } from "../../lib/device/storage";
import { paths } from "../../lib/paths";
import { emailSchema } from "../../schemas/account";
import { resetOf } from "../../session/handles";
import { NoMail } from "../../session/no-mail";
import { Field } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { Screen } from "../../ui/screen";
import { useToast } from "../../ui/toast/toast";

export function ForgotPasswordPage() {
  const navigate = useNavigate();
  const toast = useToast();
  const state = useLocation().state as { email?: string } | null;
  const initial = { email: state?.email ?? "" };
  const [error, setError] = useState<string>();

  const submit = async (form: typeof initial) => {
    setError(undefined);
    try {
      const email = form.email.trim();
      const { message, request } = await forgotPassword(email);
      store(resetOf(email), request);
      toast({ title: message });
      navigate(paths.resetPassword(email));
    } catch (failure) {
      setError(failureText(failure));
    }
  };

  return (
    <Screen title="Forgot your password?" isForm>
      <p className="max-w-[30rem] text-base text-ink-2">
        Enter your account's email address. We will mail you a code for a new password.
      </p>
      <NoMail />
      <Formik initialValues={initial} validationSchema={emailSchema} onSubmit={submit}>
        <Form error={error} submit="Send code" pending="Sending...">
          <Field name="email" label="Email" type="email" autoComplete="username" inputMode="email" />
        </Form>
      </Formik>
    </Screen>
  );
}
