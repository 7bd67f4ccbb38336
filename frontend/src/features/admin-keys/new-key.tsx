import { Formik, type FormikHelpers, useField } from "formik";
import { useRef, useState } from "react";
import { failureText, fieldErrors } from "../../api/failure";
import { useKeyChanges } from "../../api/office/keys";
import type { KeyAdded, Scope } from "../../api/types";
import { keySchema } from "../../schemas/key";
import { useConfirmed } from "../../session/confirmed";
import { Button } from "../../ui/button";
import { Field } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { SCOPES } from "./scopes";

const EMPTY = { name: "", scopes: [] as Scope[], days: 365 };

/** The form for a key, and the key itself once it is made. */
export function NewKey() {
  const { add } = useKeyChanges();
  const [confirmed, dialog] = useConfirmed();
  const [made, setMade] = useState<KeyAdded>();
  const [error, setError] = useState<string>();
  const submit = async (key: typeof EMPTY, { resetForm, setErrors }: FormikHelpers<typeof EMPTY>) => {
    setError(undefined);
    try {
      setMade(await confirmed(() => add({ ...key, days: Number(key.days) })));
      resetForm();
    } catch (failure) {
      setErrors(fieldErrors(failure));
      setError(failureText(failure));
    }
  };
  return (
    <section aria-label="New key" className="pane">
      <div className="pane-head">
        <h2>New key</h2>
      </div>
      {made && <Made key={made.key.id} of={made} onDone={() => setMade(undefined)} />}
      <Formik initialValues={EMPTY} validationSchema={keySchema} onSubmit={submit}>
        {({ errors, touched }) => (
          <Form error={error} submit="Make key" pending="Making...">
            <Field
              name="name"
              label="Name"
              hint="It stands in the activity log: nightly import"
              autoComplete="off"
            />
            <fieldset className="flex flex-col gap-2">
              <legend className="pb-1 text-sm font-semibold">What it may do</legend>
              {SCOPES.map(({ scope, words }) => (
                <ScopeBox key={scope} scope={scope} words={words} />
              ))}
              {touched.scopes && typeof errors.scopes === "string" && (
                <p role="alert" className="text-sm text-danger">
                  {errors.scopes}
                </p>
              )}
            </fieldset>
            <Field name="days" label="Valid for days" inputMode="numeric" autoComplete="off" />
          </Form>
        )}
      </Formik>
      {dialog}
    </section>
  );
}

function ScopeBox({ scope, words }: { scope: Scope; words: string }) {
  const [box] = useField({ name: "scopes", type: "checkbox", value: scope });
  return (
    <label className="flex min-h-8 items-center gap-2 text-sm">
      <input {...box} type="checkbox" className="size-4 accent-accent" />
      {words}
      <code className="text-ink-3">{scope}</code>
    </label>
  );
}

function Made({ of: { secret, key }, onDone }: { of: KeyAdded; onDone: () => void }) {
  const [message, setMessage] = useState("");
  const text = useRef<HTMLElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      setMessage("Copied");
    } catch {
      if (text.current) {
        getSelection()?.selectAllChildren(text.current);
      }
      setMessage("The key is chosen: copy it");
    }
  };
  return (
    <div className="advice">
      <p>The key “{key.name}” is made. Copy it now: it is never shown again.</p>
      <code ref={text} className="break-all">
        {secret}
      </code>
      <Button variant="primary" onClick={() => void copy()}>
        Copy
      </Button>
      <Button onClick={onDone}>Done</Button>
      <span role="status" className="hint">
        {message}
      </span>
    </div>
  );
}
