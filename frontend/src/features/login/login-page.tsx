import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { ApiError } from "../../api/client";
import { failureText, fieldErrors } from "../../api/failure";
import { signIn } from "../../api/users";
import { paths } from "../../lib/paths";
import { store } from "../../lib/storage";
import { loginSchema } from "../../schemas/account";
import { registrationOf } from "../../session/handles";
import { useSession } from "../../session/session";
import { Field, PasswordField } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { Link } from "../../ui/link";
import { Screen } from "../../ui/screen";
import { useToast } from "../../ui/toast/toast";

/** The server's word that only the code is missing (decisions section 6). */
const UNVERIFIED = "Please verify your email first.";

const EMPTY = { email: "", password: "" };

export function LoginPage() {
  const { begin } = useSession();
  const navigate = useNavigate();
  const toast = useToast();
  const from = (useLocation().state as { from?: string } | null)?.from ?? paths.listing;
  const [error, setError] = useState<string>();

  const submit = async (form: typeof EMPTY, { setErrors }: FormikHelpers<typeof EMPTY>) => {
    setError(undefined);
    try {
      const { token } = await signIn(form.email.trim(), form.password);
      begin(token);
      navigate(from, { replace: true });
    } catch (failure) {
      if (failure instanceof ApiError && failure.message === UNVERIFIED) {
        const email = form.email.trim();
        store(registrationOf(email), failure.registration ?? null);
        toast({ title: failure.message, description: "A new code is on its way." });
        navigate(paths.verify(email));
        return;
      }
      setErrors(fieldErrors(failure));
      setError(failureText(failure));
      const refused = failure instanceof ApiError && failure.status === 401;
      toast({
        title: "Login Failed",
        description: refused ? "Invalid credentials" : failureText(failure),
        failure: true,
      });
    }
  };

  return (
    <Screen title="Login">
      <Formik initialValues={EMPTY} validationSchema={loginSchema} onSubmit={submit}>
        <Form error={error} submit="Login" pending="Logging in...">
          <Field name="email" label="Email" type="email" autoComplete="username" inputMode="email" />
          <PasswordField name="password" label="Password" autoComplete="current-password" />
        </Form>
      </Formik>
      <p className="text-sm text-ink-2">
        <Link to={paths.forgotPassword} className="rounded text-accent underline">
          Forgot your password?
        </Link>
      </p>
      <p className="text-sm text-ink-2">
        No account yet?{" "}
        <Link to={paths.register} className="rounded text-accent underline">
          Register
        </Link>
      </p>
    </Screen>
  );
}
