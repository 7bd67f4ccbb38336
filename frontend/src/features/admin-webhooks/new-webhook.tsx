import { Formik } from "formik";
import { useState } from "react";
import { useWebhookChanges } from "../../api/office/webhooks";
import type { WebhookEvent, WebhookSecret } from "../../api/types";
import { webhookSchema } from "../../schemas/webhook";
import { useSaving } from "../../session/use-saving";
import { Choices } from "../../ui/form/choices";
import { Field } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { ShownOnce } from "../../ui/form/shown-once";

/** Events in words, in the order of the form. */
const EVENTS: { value: WebhookEvent; words: string }[] = [
  { value: "product.added", words: "A product is shown to visitors" },
  { value: "product.changed", words: "A shown product changes" },
  { value: "product.ended", words: "A product ends or is deleted" },
  { value: "backup.failed", words: "A scheduled backup fails" },
];

const EMPTY = { url: "", events: [] as WebhookEvent[] };

/** The form for a webhook, and its secret once it is made. */
export function NewWebhook() {
  const { add } = useWebhookChanges();
  const [made, setMade] = useState<WebhookSecret>();
  const { submit, error } = useSaving(async (webhook: typeof EMPTY) => setMade(await add(webhook)));
  return (
    <section aria-label="New webhook" className="pane">
      <div className="pane-head">
        <h2>New webhook</h2>
      </div>
      {made && (
        <ShownOnce key={made.webhook.id} text={made.secret} name="secret" onDone={() => setMade(undefined)}>
          The webhook is added, and this secret signs its events. Copy it now: it is never shown again.
        </ShownOnce>
      )}
      <Formik initialValues={EMPTY} validationSchema={webhookSchema} onSubmit={submit}>
        <Form error={error} submit="Make webhook" pending="Making...">
          <Field
            name="url"
            label="Address"
            hint="Like https://example.com/hook"
            inputMode="url"
            autoComplete="off"
          />
          <Choices name="events" legend="When to send" choices={EVENTS} />
        </Form>
      </Formik>
    </section>
  );
}
