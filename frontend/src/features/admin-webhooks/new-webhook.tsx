import { Formik, type FormikHelpers, useField } from "formik";
import { useState } from "react";
import { failureText, fieldErrors } from "../../api/failure";
import { useWebhookChanges } from "../../api/office/webhooks";
import type { WebhookEvent, WebhookSecret } from "../../api/types";
import { webhookSchema } from "../../schemas/webhook";
import { useConfirmed } from "../../session/confirmed";
import { Field } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { EVENTS } from "./events";
import { Secret } from "./secret";

const EMPTY = { url: "", events: [] as WebhookEvent[] };

/** The form for a webhook, and its secret once it is made. */
export function NewWebhook() {
  const { add } = useWebhookChanges();
  const [confirmed, dialog] = useConfirmed();
  const [made, setMade] = useState<WebhookSecret>();
  const [error, setError] = useState<string>();
  const submit = async (webhook: typeof EMPTY, { resetForm, setErrors }: FormikHelpers<typeof EMPTY>) => {
    setError(undefined);
    try {
      setMade(await confirmed(() => add(webhook)));
      resetForm();
    } catch (failure) {
      setErrors(fieldErrors(failure));
      setError(failureText(failure));
    }
  };
  return (
    <section aria-label="New webhook" className="pane">
      <div className="pane-head">
        <h2>New webhook</h2>
      </div>
      {made && (
        <Secret
          key={made.webhook.id}
          text={made.secret}
          about="The webhook is made, and this secret signs its events."
          onDone={() => setMade(undefined)}
        />
      )}
      <Formik initialValues={EMPTY} validationSchema={webhookSchema} onSubmit={submit}>
        {({ errors, touched }) => (
          <Form error={error} submit="Make webhook" pending="Making...">
            <Field
              name="url"
              label="Address"
              hint="Like https://example.com/hook"
              inputMode="url"
              autoComplete="off"
            />
            <fieldset className="flex flex-col gap-2">
              <legend className="pb-1 text-sm font-semibold">When to send</legend>
              {EVENTS.map(({ event, words }) => (
                <EventBox key={event} event={event} words={words} />
              ))}
              {touched.events && typeof errors.events === "string" && (
                <p role="alert" className="text-sm text-danger">
                  {errors.events}
                </p>
              )}
            </fieldset>
          </Form>
        )}
      </Formik>
      {dialog}
    </section>
  );
}

function EventBox({ event, words }: { event: WebhookEvent; words: string }) {
  const [box] = useField({ name: "events", type: "checkbox", value: event });
  return (
    <label className="flex min-h-8 flex-wrap items-center gap-x-2 text-sm">
      <input {...box} type="checkbox" className="size-4 accent-accent" />
      {words}
      <code className="text-ink-3">{event}</code>
    </label>
  );
}
