import { Formik, type FormikHelpers } from "formik";
import { type ReactNode, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import useSWR from "swr";
import { checkSetupLink, setUp } from "../../api/accounts";
import { failureText, fieldErrors } from "../../api/failure";
import { plainHttp } from "../../lib/constants.json";
import { office } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import { registerSchema } from "../../schemas/account";
import { useSession } from "../../session/session";
import { useShop } from "../../shop/shop";
import { Button, ButtonLink } from "../../ui/button";
import { Field, PasswordField } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { Notice } from "../../ui/notice";
import { Screen } from "../../ui/screen";

const EMPTY = { username: "", email: "", password: "" };

/** Makes the first administrator, by the setup link that the server printed. */
export function FirstStartPage() {
  const { httpSignIn } = useShop();
  const secret = useLocation().hash.slice(1);
  // The secret must not go over a line that others can read.
  const insecure = window.isSecureContext === false && !httpSignIn;
  return (
    <Screen title="Set up this shop">
      {insecure ? (
        <Refused title="This page needs https.">{plainHttp}</Refused>
      ) : (
        <Checked key={secret} secret={secret} />
      )}
    </Screen>
  );
}

function Checked({ secret }: { secret: string }) {
  const { data, error, isValidating, mutate } = useSWR(
    secret === "" ? null : ["setup-link", secret],
    () => checkSetupLink(secret),
    { revalidateOnFocus: false, revalidateOnReconnect: false },
  );
  if (secret === "") {
    return (
      <Refused title="This page needs a setup link.">
        Open the whole link that `deals serve` printed when it started, or run `deals setup-link` on the
        server to get a new one.
      </Refused>
    );
  }
  if (data) {
    return <AccountForm secret={secret} />;
  }
  if (error) {
    return (
      <Refused
        title="This link can't be used."
        action={
          <Button disabled={isValidating} onClick={() => void mutate()}>
            Try again
          </Button>
        }
      >
        {failureText(error)}
      </Refused>
    );
  }
  return (
    <p role="status" className="text-sm text-ink-3">
      Loading...
    </p>
  );
}

export function Refused({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children: string;
}) {
  return (
    <div role="alert">
      <Notice title={title}>
        <p className="hint max-w-[36rem]">{children}</p>
        <div className="flex flex-wrap gap-2">
          {action}
          <ButtonLink to={paths.listing}>Go to the shop</ButtonLink>
        </div>
      </Notice>
    </div>
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
        Your account will be the administrator's: it adds deals and changes the shop. No code is mailed.
      </p>
      <Formik initialValues={EMPTY} validationSchema={registerSchema} onSubmit={submit}>
        <Form error={error} submit="Make my account" pending="Making your account...">
          <Field name="username" label="Your name" autoComplete="nickname" />
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
