import { Formik, type FormikHelpers, useField, useFormikContext } from "formik";
import { useState } from "react";
import { number, object, string } from "yup";
import { failureText, fieldErrors } from "../../../api/failure";
import { useChannels } from "../../../api/outgoing/channels";
import { useQueueChanges } from "../../../api/outgoing/queue";
import type { Queue } from "../../../api/types";
import { Checkbox } from "../../../ui/form/choices";
import { FIELD_PAIRS, Field } from "../../../ui/form/field";
import { Form } from "../../../ui/form/form";
import { useToast } from "../../../ui/toast/toast";

const TIME = string().required("Enter a time of the day like 09:00.");
const ONE_TO_60 = "Enter a whole number from 1 to 60.";

const schema = object({
  perHour: number()
    .typeError(ONE_TO_60)
    .integer(ONE_TO_60)
    .min(1, ONE_TO_60)
    .max(60, ONE_TO_60)
    .required(ONE_TO_60),
  from: TIME,
  to: TIME,
});

interface Values {
  perHour: string;
  from: string;
  to: string;
  everyChannel: boolean;
  channels: string[];
}

/** How many drafts go live in an hour, and in which hours. */
export function QueueRules({ queue }: { queue: Queue }) {
  const { change } = useQueueChanges();
  const toast = useToast();
  const [error, setError] = useState<string>();
  const { perHour, from, to, everyChannel, channels, version } = queue;
  const initial: Values = { perHour: String(perHour), from, to, everyChannel, channels };
  const save = async (values: Values, { setErrors }: FormikHelpers<Values>) => {
    setError(undefined);
    try {
      await change({ ...values, perHour: Number(values.perHour), version });
      toast({ title: "Saved" });
    } catch (failure) {
      setErrors(fieldErrors(failure));
      setError(failureText(failure));
    }
  };
  return (
    <Formik initialValues={initial} validationSchema={schema} onSubmit={save}>
      {({ values }) => (
        <Form error={error} submit="Save" pending="Saving...">
          <Field name="perHour" label="Drafts an hour" inputMode="numeric" autoComplete="off" />
          <div className={FIELD_PAIRS}>
            <Field name="from" label="From (India)" type="time" />
            <Field
              name="to"
              label="Until (India)"
              type="time"
              {...(values.from === values.to && { hint: "Same times: the whole day" })}
            />
          </div>
          <PostedTo />
        </Form>
      )}
    </Formik>
  );
}

/** The channels that post what goes live. */
function PostedTo() {
  const { everyChannel, channels } = useFormikContext<Values>().values;
  const [every, , { setValue }] = useField<boolean>("everyChannel");
  const { data } = useChannels();
  if (!data) {
    return null;
  }
  // A deleted one is not there any more.
  const left = channels.filter((id) => data.data.some((channel) => channel.id === id));
  return (
    <fieldset className="flex flex-col">
      <legend className="pb-1 text-sm font-semibold">Posted to</legend>
      <Checkbox
        name={every.name}
        checked={everyChannel}
        onChange={(event) => void setValue(event.target.checked)}
      >
        All active channels
      </Checkbox>
      {!everyChannel &&
        data.data.map(({ id, name, on }) => (
          <ChannelChoice key={id} id={id} name={on ? name : `${name} (off)`} />
        ))}
      {!everyChannel && left.length === 0 && <p className="hint">No channel: they go live without a post.</p>}
    </fieldset>
  );
}

function ChannelChoice({ id, name }: { id: string; name: string }) {
  const [box] = useField({ name: "channels", type: "checkbox", value: id });
  return <Checkbox {...box}>{name}</Checkbox>;
}
