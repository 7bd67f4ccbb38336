import { getIn, useFormikContext } from "formik";
import { endOfDay, fromField, toField, unsetHint } from "../../lib/time";
import { Button } from "../button";
import { Field } from "./field";

const ENDS = [
  { label: "Tonight 23:59", days: 0 },
  { label: "In 3 days", days: 3 },
  { label: "In 7 days", days: 7 },
] as const;

interface TimeFieldProps {
  name: string;
  label: string;
  /** Meaning of an empty field. */
  unset: string;
}

/** A date and time in India. */
export function TimeField({ name, label, unset }: TimeFieldProps) {
  const { values, setFieldValue } = useFormikContext();
  const value = String(getIn(values, name) ?? "");
  return (
    <Field
      name={name}
      label={`${label} (India)`}
      hint={unsetHint(value, unset)}
      type="datetime-local"
      value={toField(value)}
      onChange={(event) => void setFieldValue(name, fromField(event.target.value))}
    />
  );
}

/** Sets a frequent end by one press, whatever order of day and month the browser has. */
export function QuickEnds({ name }: { name: string }) {
  const { setFieldValue } = useFormikContext();
  return (
    <p className="flex flex-wrap gap-2">
      {ENDS.map(({ label, days }) => (
        <Button key={days} onClick={() => void setFieldValue(name, endOfDay(days))}>
          {label}
        </Button>
      ))}
      <Button variant="plain" onClick={() => void setFieldValue(name, "")}>
        No end
      </Button>
    </p>
  );
}
