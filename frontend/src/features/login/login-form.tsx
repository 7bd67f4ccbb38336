import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { ApiError } from "../../api/client";
import { failureText, fieldErrors } from "../../api/failure";
import { signIn } from "../../api/users";
import { plainHttp } from "../../lib/constants.json";
import { store } from "../../lib/device/storage";
import { paths } from "../../lib/paths";
import { loginSchema } from "../../schemas/account";
import { registrationOf } from "../../session/handles";
import { useSession } from "../../session/session";
import { rememberPassword } from "../../session/typed-password";
import { useShop } from "../../shop/shop";
import { Field, PasswordField } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { useToast } from "../../ui/toast/toast";

interface LoginFormProps {
  /** Address of the user whose session ended. */
  email: string;
  onDone: () => void;
  onEmail?: (email: string) => void;
}

export function LoginForm({ email, onDone, onEmail }: LoginFormProps) {
  const { begin } = useSession();
  const navigate = useNavigate();
  const toast = useToast();
  const { httpSignIn } = useShop();
  const [error, setError] = useState<string>();
  const initial = { email, password: "" };

  const submit = async (form: typeof initial, { setErrors }: FormikHelpers<typeof initial>) => {
    setError(undefined);
    try {
      const { token } = await signIn(form.email.trim(), form.password);
      begin(token);
      onDone();
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === "not_verified") {
        const address = form.email.trim();
        store(registrationOf(address), failure.registration ?? null);
        rememberPassword(address, form.password);
        toast({ title: failure.message, description: "A new code is on its way." });
        navigate(paths.verify(address));
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
    <Formik initialValues={initial} validationSchema={loginSchema} onSubmit={submit}>
      <Form error={error} submit="Login" pending="Logging in...">
        <Field
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          onInput={(event) => onEmail?.(event.currentTarget.value.trim())}
        />
        <PasswordField name="password" label="Password" autoComplete="current-password" />
        {window.isSecureContext === false && !httpSignIn && (
          <p className="text-sm text-danger">{plainHttp}</p>
        )}
      </Form>
    </Formik>
  );
}
