import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { acceptInvitation, checkInvitation } from "../../api/accounts";
import { failureText, fieldErrors } from "../../api/failure";
import type { Invitation } from "../../api/types";
import { paths } from "../../lib/paths";
import { invitedSchema } from "../../schemas/account";
import { useSession } from "../../session/session";
import { Field, PasswordField } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { SecretLink } from "./secret-link";

const MISSING = {
  title: "This page needs an invitation.",
  remedy: "Open the whole link that you were sent, or ask the shop's administrator for a new one.",
};

/** Makes the account of an invited person, by the link of the invitation. */
export function InvitePage() {
  return (
    <SecretLink title="Your invitation" check={checkInvitation} missing={MISSING}>
      {(secret, invitation) => <AccountForm secret={secret} invitation={invitation} />}
    </SecretLink>
  );
}

const HELPS: Record<Invitation["Role"], string> = {
  admin: "You are invited to run this shop as an administrator.",
  editor: "You are invited to add and change deals, as an editor.",
  user: "You are invited to have an account in this shop.",
};

function AccountForm({ secret, invitation }: { secret: string; invitation: Invitation }) {
  const { begin } = useSession();
  const navigate = useNavigate();
  const [error, setError] = useState<string>();
  const initial = { username: invitation.username, password: "" };

  const submit = async (form: typeof initial, { setErrors }: FormikHelpers<typeof initial>) => {
    setError(undefined);
    try {
      const { token, user } = await acceptInvitation(secret, form);
      begin(token);
      // The link is used up: it must not stay in the history.
      navigate(user.Role === "user" ? paths.profile : paths.admin, { replace: true });
    } catch (failure) {
      const fields = fieldErrors(failure);
      setErrors(fields);
      setError(Object.keys(fields).length === 0 ? failureText(failure) : undefined);
    }
  };

  return (
    <>
      <p className="max-w-[36rem] text-base text-ink-2">
        {HELPS[invitation.Role]} You sign in with <b className="break-words">{invitation.email}</b>. Choose a
        name and a password.
      </p>
      <Formik initialValues={initial} validationSchema={invitedSchema} onSubmit={submit}>
        <Form error={error} submit="Make my account" pending="Making your account...">
          <Field name="username" label="Your name" autoComplete="nickname" />
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
