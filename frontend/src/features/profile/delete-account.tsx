import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { ApiError } from "../../api/client";
import { failureText, fieldErrors } from "../../api/failure";
import { deleteAccount } from "../../api/own-account";
import { paths } from "../../lib/paths";
import { ownPasswordSchema } from "../../schemas/account";
import { useSession } from "../../session/session";
import { Button } from "../../ui/button";
import { PasswordField } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { useToast } from "../../ui/toast/toast";
import { ProfileSection } from "./profile-section";

const EMPTY = { password: "" };

/** Deletes one's own account, after the password. */
export function DeleteAccount() {
  const { endSession } = useSession();
  const navigate = useNavigate();
  const toast = useToast();
  const [open, setOpen] = useState(false);
  const [error, setError] = useState<string>();
  const submit = async ({ password }: typeof EMPTY, { setErrors }: FormikHelpers<typeof EMPTY>) => {
    setError(undefined);
    try {
      await deleteAccount(password);
      // Navigate first: a screen that requires a session would redirect to the login.
      await navigate(paths.listing, { replace: true });
      endSession(true);
      toast({ title: "Your account was deleted" });
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === "wrong_credentials") {
        setErrors({ password: "This is not your password." });
        return;
      }
      setErrors(fieldErrors(failure));
      setError(failureText(failure));
    }
  };
  if (!open) {
    return (
      <Button variant="danger" className="justify-self-start" onClick={() => setOpen(true)}>
        Delete my account
      </Button>
    );
  }
  return (
    <ProfileSection title="Delete my account">
      <p className="hint">Your account, its sessions and its API keys end at once. This can't be undone.</p>
      <Formik initialValues={EMPTY} validationSchema={ownPasswordSchema} onSubmit={submit}>
        <Form
          error={error}
          danger
          submit="Delete for good"
          pending="Deleting..."
          beside={<Button onClick={() => setOpen(false)}>Keep my account</Button>}
        >
          <PasswordField name="password" label="Your password" autoComplete="current-password" />
        </Form>
      </Formik>
    </ProfileSection>
  );
}
