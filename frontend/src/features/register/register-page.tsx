import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { register } from "../../api/accounts";
import { failureText, fieldErrors } from "../../api/failure";
import { store } from "../../lib/device/storage";
import { paths } from "../../lib/paths";
import { registerSchema } from "../../schemas/account";
import { registrationOf } from "../../session/handles";
import { NoMail } from "../../session/no-mail";
import { rememberPassword } from "../../session/typed-password";
import { useShop } from "../../shop/shop";
import { ButtonLink } from "../../ui/button";
import { Field, PasswordField } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { Screen } from "../../ui/screen";
import { useToast } from "../../ui/toast/toast";

export function RegisterPage() {
  const navigate = useNavigate();
  const toast = useToast();
  const { noMail } = useShop();
  const state = useLocation().state as { email?: string } | null;
  const initial = { username: "", email: state?.email ?? "", password: "" };
  const [error, setError] = useState<string>();

  const submit = async (form: typeof initial, { setErrors }: FormikHelpers<typeof initial>) => {
    setError(undefined);
    try {
      const email = form.email.trim();
      const { message, registration } = await register({ ...form, email });
      store(registrationOf(email), registration);
      rememberPassword(email, form.password);
      toast({ title: message });
      navigate(paths.verify(email));
    } catch (failure) {
      const fields = fieldErrors(failure);
      setErrors(fields);
      if (Object.keys(fields).length === 0) {
        setError(failureText(failure));
      }
      toast({ title: "Registration Failed", description: "Something went wrong.", failure: true });
    }
  };

  if (noMail === "closed") {
    return (
      <Screen title="Register">
        <Notice title="Registration is closed for now.">
          <p className="hint max-w-[36rem]">
            This shop can't send mail yet, and registering needs a code by mail. Deals need no account; ask
            the shop's owner if you want one.
          </p>
          <ButtonLink to={paths.listing}>See all deals</ButtonLink>
        </Notice>
        <ToLogin />
      </Screen>
    );
  }
  return (
    <Screen title="Register" isForm>
      <NoMail />
      <Formik initialValues={initial} validationSchema={registerSchema} onSubmit={submit}>
        <Form error={error} submit="Register" pending="Registering...">
          <Field name="username" label="Username" autoComplete="nickname" />
          <Field name="email" label="Email" type="email" autoComplete="username" inputMode="email" />
          <PasswordField
            name="password"
            label="Password"
            autoComplete="new-password"
            hint="At least 8 characters; a few words work well."
          />
        </Form>
      </Formik>
      <ToLogin />
    </Screen>
  );
}

function ToLogin() {
  return (
    <p className="text-sm text-ink-2">
      Already registered?{" "}
      <Link to={paths.login} className="rounded text-accent underline">
        Login
      </Link>
    </p>
  );
}
