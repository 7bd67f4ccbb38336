import { fields } from "../../shop/fields.json";
import { FIELD_PAIRS, SelectField } from "../../ui/form/field";
import { QuickEnds, TimeField } from "../../ui/form/time-field";

/** Start and end of a deal, in India's time. */
export function LifetimeFields() {
  return (
    <>
      <SelectField name="status" label={fields.status.label}>
        <option value="live">Live: in the shop once it starts</option>
        <option value="draft">Draft: for administrators only</option>
      </SelectField>
      <div className={FIELD_PAIRS}>
        <TimeField name="startsAt" label={fields.startsAt.label} unset="starts at once" />
        <TimeField name="endsAt" label={fields.endsAt.label} unset="never ends" />
      </div>
      <QuickEnds name="endsAt" />
    </>
  );
}
