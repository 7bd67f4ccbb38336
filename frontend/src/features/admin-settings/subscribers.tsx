import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { exportSubscribers, useSubscribers } from "../../api/office/server";
import { saveFile } from "../../lib/device/save-file";
import { counted } from "../../lib/rupees";
import { SelectField } from "../../ui/form/field";
import { Link } from "../../ui/link";
import { Loaded } from "../../ui/loaded";
import type { Save } from "./save";
import { SectionForm } from "./sections/section-form";
import { Trial } from "./server/trial";

interface Values {
  digestHour: string;
}

/** Mails without an account: numbers, no names, and the hour at which they go out. */
export function Subscribers({ hour, save }: { hour: number; save: Save }) {
  const [initial] = useState<Values>({ digestHour: String(hour) });
  const submit = async (values: Values, { setErrors, resetForm }: FormikHelpers<Values>) => {
    const refusal = await save({ ...values });
    if (refusal) {
      setErrors(refusal.fields);
    } else {
      resetForm({ values });
    }
  };
  return (
    <section className="panel" aria-labelledby="subscribers-title">
      <h2 id="subscribers-title">Mails of new deals</h2>
      <p className="hint">
        Visitors follow a list by mail, daily or on Mondays, once they have confirmed their address.
      </p>
      <Loaded call={useSubscribers()} failure="The numbers could not be loaded">
        {({ confirmed, waiting, lists, alerts, pushAlerts }) => (
          <>
            <p>
              {counted(confirmed, "subscriber", "subscribers")}
              {waiting > 0 && `, and ${waiting} not confirmed yet`}
            </p>
            <p>{`${counted(alerts, "price alert", "price alerts")} by mail, and ${pushAlerts} on devices`}</p>
            {lists.length > 0 && (
              <ul>
                {lists.map(({ heading, path, daily, weekly }) => (
                  <li key={path} className="line grid-cols-1">
                    <div>
                      <Link to={path} className="link">
                        {heading}
                      </Link>
                      <small className="block">{`${daily} daily, ${weekly} weekly`}</small>
                    </div>
                  </li>
                ))}
              </ul>
            )}
            {confirmed > 0 && (
              <Trial label="Export the addresses" pending="Exporting..." run={downloadAddresses} />
            )}
          </>
        )}
      </Loaded>
      <Formik initialValues={initial} onSubmit={submit}>
        <SectionForm submit="Save time">
          <SelectField name="digestHour" label="Mails go out at" hint="Time in India">
            {Array.from({ length: 24 }, (_, hour) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: hours are their own keys
              <option key={hour} value={hour}>{`${String(hour).padStart(2, "0")}:00`}</option>
            ))}
          </SelectField>
        </SectionForm>
      </Formik>
    </section>
  );
}

async function downloadAddresses(): Promise<string> {
  const { csv } = await exportSubscribers();
  saveFile("subscribers.csv", new Blob([csv], { type: "text/csv" }));
  return "subscribers.csv is being downloaded. The activity log says so.";
}
