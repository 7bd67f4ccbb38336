import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { changePassword } from "../../api/accounts";
import { ApiError } from "../../api/client";
import { failureText, fieldErrors } from "../../api/failure";
import { changePasswordSchema } from "../../schemas/account";
import { useSession } from "../../session/session";
import { PasswordField } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { useToast } from "../../ui/toast/toast";
import { ProfileSection } from "./profile-section";

const EMPTY = { currentPassword: "", newPassword: "", repeated: "" };

/** Replaces the password; every other device is signed out. */
export function ChangePassword() {
  const { begin } = useSession();
  const toast = useToast();
  const [error, setError] = useState<string>();

  const submit = async (form: typeof EMPTY, { resetForm, setErrors }: FormikHelpers<typeof EMPTY>) => {
    setError(undefined);
    try {
      const { token, message } = await changePassword(form);
      begin(token);
      resetForm();
      toast({ title: message });
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === "wrong_credentials") {
        setErrors({ currentPassword: "This is not your current password." });
        return;
      }
      setErrors(fieldErrors(failure));
      setError(failureText(failure));
    }
  };

  return (
    <ProfileSection title="Change password">
      <Formik initialValues={EMPTY} validationSchema={changePasswordSchema} onSubmit={submit}>
        <Form error={error} submit="Change password" pending="Changing...">
          <PasswordField name="currentPassword" label="Current password" autoComplete="current-password" />
          <PasswordField name="newPassword" label="New password" autoComplete="new-password" />
          <PasswordField name="repeated" label="New password again" autoComplete="new-password" />
        </Form>
      </Formik>
    </ProfileSection>
  );
}
