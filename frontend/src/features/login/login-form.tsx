import { Formik, type FormikHelpers } from "formik";
import { type ReactNode, useState } from "react";
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
import { CodeStep } from "./code-step";

interface LoginFormProps {
  /** Address of the user whose session ended. */
  email: string;
  onDone: () => void;
  onEmail?: (email: string) => void;
  /** Below the form, until a code is asked for. */
  children?: ReactNode;
}

export function LoginForm({ email, onDone, onEmail, children }: LoginFormProps) {
  const { begin } = useSession();
  const navigate = useNavigate();
  const toast = useToast();
  const { httpSignIn } = useShop();
  const [error, setError] = useState<string>();
  const [pending, setPending] = useState<string>();
  const [typed, setTyped] = useState(email);
  const initial = { email: typed, password: "" };

  const enter = (token: string) => {
    begin(token);
    onDone();
  };

  const submit = async (form: typeof initial, { setErrors }: FormikHelpers<typeof initial>) => {
    setError(undefined);
    try {
      enter((await signIn(form.email.trim(), form.password)).token);
    } catch (failure) {
      if (failure instanceof ApiError && failure.pending !== undefined) {
        setTyped(form.email.trim());
        setPending(failure.pending);
        return;
      }
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

  const ended = (message?: string) => {
    setPending(undefined);
    setError(message);
  };

  if (pending !== undefined) {
    return <CodeStep pending={pending} onToken={enter} onEnded={ended} />;
  }
  return (
    <>
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
      {children}
    </>
  );
}
