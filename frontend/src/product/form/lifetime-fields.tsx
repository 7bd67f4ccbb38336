import { useFormikContext } from "formik";
import { endOfDay, fromField, toField, unsetHint } from "../../lib/time";
import type { ProductFormValues } from "../../schemas/product";
import { fields } from "../../shop/fields.json";
import { Button } from "../../ui/button";
import { Field, SelectField } from "../../ui/form/field";

const ENDS = [
  { label: "Tonight 23:59", days: 0 },
  { label: "In 3 days", days: 3 },
  { label: "In 7 days", days: 7 },
] as const;

/** Start and end of a deal, in India's time. */
export function LifetimeFields() {
  const { setFieldValue } = useFormikContext<ProductFormValues>();
  return (
    <>
      <SelectField name="status" label={fields.status.label}>
        <option value="live">Live: in the shop from its start on</option>
        <option value="draft">Draft: for administrators only</option>
      </SelectField>
      <div className="grid grid-cols-1 gap-3 mid:grid-cols-2">
        <TimeField name="startsAt" unset="at once" />
        <TimeField name="endsAt" unset="never" />
      </div>
      <p className="flex flex-wrap gap-2">
        {ENDS.map(({ label, days }) => (
          <Button key={days} onClick={() => void setFieldValue("endsAt", endOfDay(days))}>
            {label}
          </Button>
        ))}
        <Button variant="plain" onClick={() => void setFieldValue("endsAt", "")}>
          No end
        </Button>
      </p>
    </>
  );
}

interface TimeFieldProps {
  name: "startsAt" | "endsAt";
  unset: string;
}

function TimeField({ name, unset }: TimeFieldProps) {
  const { values, setFieldValue } = useFormikContext<ProductFormValues>();
  return (
    <Field
      name={name}
      label={`${fields[name].label} (India)`}
      hint={unsetHint(values[name], unset)}
      type="datetime-local"
      value={toField(values[name])}
      onChange={(event) => void setFieldValue(name, fromField(event.target.value))}
    />
  );
}
