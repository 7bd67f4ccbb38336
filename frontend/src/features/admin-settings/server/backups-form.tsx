import { Formik, type FormikHelpers, useFormikContext } from "formik";
import { useState } from "react";
import { lazy as lazily, object } from "yup";
import { failureText, fieldErrors } from "../../../api/failure";
import { testBackups, useBackupSettings, useServerChanges } from "../../../api/office/server";
import type { BackupSettings } from "../../../api/types";
import { shortMoment } from "../../../lib/time";
import { bucketSchema, folderSchema } from "../../../schemas/server";
import { Field, PasswordField, SelectField } from "../../../ui/form/field";
import { Loaded } from "../../../ui/loaded";
import { useToast } from "../../../ui/toast/toast";
import { SectionForm } from "../sections/section-form";
import { MadeBackups } from "./made-backups";
import { Trial } from "./trial";

/** The place of the backups, and a form to choose another unless an option names it. */
export function BackupsForm() {
  return (
    <Loaded call={useBackupSettings()} failure="The place of the backups could not be loaded">
      {(backups) => (
        <>
          {backups.setBy ? <Given backups={backups} /> : <Chosen backups={backups} />}
          {backups.place !== "" && (
            <>
              <Trial label="Test the location" pending="Trying..." run={testBackups} />
              <MadeBackups key={backups.place} />
            </>
          )}
        </>
      )}
    </Loaded>
  );
}

function Given({ backups }: { backups: BackupSettings }) {
  return (
    <p>
      {`Set by ${backups.setBy}: backups go to `}
      <b className="break-all">{backups.place}</b>
      {`. ${backups.schedule} To choose a place here, remove the variable and start the server again.`}
    </p>
  );
}

type Kind = "none" | "folder" | "bucket";

interface BackupValues {
  kind: Kind;
  folder: string;
  bucket: string;
  endpoint: string;
  region: string;
  keyId: string;
  secretKey: string;
}

const SCHEMAS = { none: object(), folder: folderSchema, bucket: bucketSchema };

const schema = lazily(({ kind }: BackupValues) => SCHEMAS[kind]);

function kindOf(place: string): Kind {
  if (place === "") {
    return "none";
  }
  return place.startsWith("s3://") ? "bucket" : "folder";
}

function valuesOf({ place, root, endpoint, region, keyId }: BackupSettings): BackupValues {
  const kind = kindOf(place);
  return {
    kind,
    folder: kind === "folder" ? place : `${root.replace(/\/$/, "")}/backups`,
    bucket: kind === "bucket" ? place : "",
    endpoint,
    region,
    keyId,
    secretKey: "",
  };
}

function Chosen({ backups }: { backups: BackupSettings }) {
  const { saveBackups } = useServerChanges();
  const [error, setError] = useState<string>();
  const [initial] = useState(() => valuesOf(backups));
  const toast = useToast();
  const submit = async (values: BackupValues, { resetForm, setErrors }: FormikHelpers<BackupValues>) => {
    setError(undefined);
    const { kind, folder, bucket, secretKey, ...rest } = values;
    const places = { none: "", folder, bucket };
    try {
      const saved = await saveBackups({
        version: backups.version,
        place: places[kind],
        ...(kind === "bucket" ? rest : { endpoint: "", region: "", keyId: "" }),
        ...(secretKey === "" ? {} : { secretKey }),
      });
      resetForm({ values: valuesOf(saved) });
      toast({ title: saved.place === "" ? "Backups are switched off" : "Backup location saved" });
    } catch (failure) {
      const { place, ...fields } = fieldErrors(failure);
      setErrors({ ...fields, ...(place === undefined ? {} : { [kind]: place }) });
      setError(place === undefined ? failureText(failure) : undefined);
    }
  };
  return (
    <Formik initialValues={initial} validationSchema={schema} onSubmit={submit}>
      <SectionForm error={error} submit="Save backup location">
        <SelectField name="kind" label="Backups go to" hint={backups.schedule}>
          <option value="none">Nowhere yet</option>
          <option value="folder">A folder on the server</option>
          <option value="bucket">Online storage, like Amazon S3</option>
        </SelectField>
        <Place backups={backups} />
      </SectionForm>
    </Formik>
  );
}

function Place({ backups: { root, secretKeyAt } }: { backups: BackupSettings }) {
  const { kind } = useFormikContext<BackupValues>().values;
  switch (kind) {
    case "none":
      return null;
    case "folder":
      return (
        <Field
          name="folder"
          label="Folder"
          hint={`Inside ${root}; made if it is missing`}
          autoComplete="off"
        />
      );
    case "bucket":
      return (
        <>
          <Field name="bucket" label="Bucket" hint="Like s3://bucket/shop" autoComplete="off" />
          <Field
            name="endpoint"
            label="Address of the provider"
            hint="Like https://s3.example.com; empty for Amazon"
            inputMode="url"
            autoComplete="off"
          />
          <Field name="region" label="Region" hint="Like ap-south-1, or auto" autoComplete="off" />
          <Field name="keyId" label="Key id" autoComplete="off" />
          <PasswordField
            name="secretKey"
            label="Secret key"
            autoComplete="new-password"
            hint={
              secretKeyAt === null
                ? "Stored encrypted, and never shown again"
                : `Set on ${shortMoment(secretKeyAt)}; leave it empty to keep it`
            }
          />
        </>
      );
  }
}
