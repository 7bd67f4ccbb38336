import { Formik } from "formik";
import { useState } from "react";
import { usePeopleChanges } from "../../api/office/people";
import type { Invited, Role } from "../../api/types";
import { emailSchema } from "../../schemas/account";
import { useSaving } from "../../session/use-saving";
import { Field, SelectField } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { ShownOnce } from "../../ui/form/shown-once";
import { ROLES, roleHint } from "./roles";

const EMPTY = { email: "", role: "editor" as Role };

/** The form of an invitation, and its link once it is made. */
export function InviteForm() {
  const { invite } = usePeopleChanges();
  const [sent, setSent] = useState<Invited & { email: string }>();
  const { submit, error } = useSaving(async (form: typeof EMPTY) => {
    const email = form.email.trim();
    setSent({ ...(await invite({ ...form, email })), email });
  });
  return (
    <section aria-label="Invite" className="pane">
      <div className="pane-head">
        <h2>Invite somebody</h2>
      </div>
      {sent && (
        <ShownOnce key={sent.link} text={sent.link} name="link" onDone={() => setSent(undefined)}>
          {sent.mailed
            ? `A mail with this link is on its way to ${sent.email}.`
            : `Send this link to ${sent.email}.`}{" "}
          It works once, within three days, and is never shown again.
        </ShownOnce>
      )}
      <Formik initialValues={EMPTY} validationSchema={emailSchema} onSubmit={submit}>
        {({ values }) => (
          <Form error={error} submit="Invite" pending="Inviting...">
            <Field name="email" label="Email" type="email" inputMode="email" autoComplete="off" />
            <SelectField name="role" label="Role" hint={roleHint(values.role)}>
              {ROLES.map(({ role, name }) => (
                <option key={role} value={role}>
                  {name}
                </option>
              ))}
            </SelectField>
          </Form>
        )}
      </Formik>
    </section>
  );
}
