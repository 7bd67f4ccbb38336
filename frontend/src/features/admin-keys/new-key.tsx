import { Formik } from "formik";
import { useState } from "react";
import { useKeyChanges } from "../../api/office/keys";
import type { KeyAdded, Scope } from "../../api/types";
import { keySchema } from "../../schemas/key";
import { useSaving } from "../../session/use-saving";
import { Choices } from "../../ui/form/choices";
import { Field } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { ShownOnce } from "../../ui/form/shown-once";
import { SCOPES } from "./scopes";

const EMPTY = { name: "", scopes: [] as Scope[], days: 365 };

/** The form for a key, and the key itself once it is made. */
export function NewKey() {
  const { add } = useKeyChanges();
  const [made, setMade] = useState<KeyAdded>();
  const { submit, error } = useSaving(async (key: typeof EMPTY) =>
    setMade(await add({ ...key, days: Number(key.days) })),
  );
  return (
    <section aria-label="New key" className="pane">
      <div className="pane-head">
        <h2>New key</h2>
      </div>
      {made && (
        <ShownOnce key={made.key.id} text={made.secret} name="key" onDone={() => setMade(undefined)}>
          The key “{made.key.name}” is made. Copy it now: it is never shown again.
        </ShownOnce>
      )}
      <Formik initialValues={EMPTY} validationSchema={keySchema} onSubmit={submit}>
        <Form error={error} submit="Make key" pending="Making...">
          <Field
            name="name"
            label="Name"
            hint="For the activity log, like nightly import"
            autoComplete="off"
          />
          <Choices name="scopes" legend="What it may do" choices={SCOPES} />
          <Field name="days" label="Valid for days" inputMode="numeric" autoComplete="off" />
        </Form>
      </Formik>
    </section>
  );
}
