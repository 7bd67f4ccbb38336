import { Formik, type FormikHelpers, useFormikContext } from "formik";
import { useId, useState } from "react";
import { failureText, fieldErrors } from "../../../api/failure";
import { useMailSettings, useServerChanges } from "../../../api/office/server";
import type { MailSecurity, MailSettings } from "../../../api/types";
import { shortMoment } from "../../../lib/time";
import { mailSchema } from "../../../schemas/server";

import { Field, LABEL, PasswordField, SelectField, SelectInput } from "../../../ui/form/field";
import { Loaded } from "../../../ui/loaded";

import { useToast } from "../../../ui/toast/toast";
import { SectionForm } from "../sections/section-form";
import { MAIL_PROVIDERS } from "./mail-providers";
import { TestMail } from "./test-mail";

/** The mail server in use, a form to choose another unless options name it, and a test. */
export function MailForm() {
  return (
    <Loaded call={useMailSettings()} failure="The mail server could not be loaded">
      {(mail) => (
        <>
          {mail.problem && (
            <p role="alert" className="text-sm text-danger">
              {`No mail can be sent: ${mail.problem}.`}
            </p>
          )}
          {mail.setBy ? <Given mail={mail} /> : <Chosen mail={mail} />}
          {mail.server !== null && <TestMail />}
        </>
      )}
    </Loaded>
  );
}

function Given({ mail }: { mail: MailSettings }) {
  return (
    <p>
      {`Set by ${mail.setBy}: mails go to `}
      <b className="break-all">{mail.server}</b>
      {mail.sender !== "" && `, from ${mail.sender}`}. To choose a server here, remove the variable and start
      the server again.
    </p>
  );
}

/** Port by encryption. */
const PORTS: Record<MailSecurity, string> = { tls: "465", starttls: "587", none: "25" };

interface MailValues {
  host: string;
  port: string;
  security: MailSecurity;
  user: string;
  password: string;
  sender: string;
}

function valuesOf({ host, port, security, user, sender }: MailSettings): MailValues {
  return { host, port: host === "" ? PORTS[security] : String(port), security, user, password: "", sender };
}

function Chosen({ mail }: { mail: MailSettings }) {
  const { saveMail } = useServerChanges();
  const [error, setError] = useState<string>();
  const [initial] = useState(() => valuesOf(mail));
  const toast = useToast();
  const submit = async (values: MailValues, { resetForm, setErrors }: FormikHelpers<MailValues>) => {
    setError(undefined);
    if (values.host.trim() === "" && mail.host === "") {
      setErrors({ host: "Name the mail server, like smtp.example.com." });
      return;
    }
    const { password, port, ...rest } = values;
    try {
      const saved = await saveMail({
        ...rest,
        version: mail.version,
        port: Number(port),
        ...(password === "" ? {} : { password }),
      });
      resetForm({ values: valuesOf(saved) });
      toast({
        title: saved.server === null ? "Mail server removed: no mail is sent" : "Mail server saved",
      });
    } catch (failure) {
      setErrors(fieldErrors(failure));
      setError(failureText(failure));
    }
  };
  const senderHint = mail.senderSetBy ? `Set by ${mail.senderSetBy}` : "Like Sasta Adda <shop@example.com>";
  return (
    <Formik initialValues={initial} validationSchema={mailSchema} onSubmit={submit}>
      <SectionForm error={error} submit="Save mail server">
        <Provider />
        <Field
          name="host"
          label="Mail server"
          hint="As your mail provider names it, like smtp.example.com; empty to send no mail"
          autoComplete="off"
          inputMode="url"
        />
        <Security />
        <Field name="port" label="Port" inputMode="numeric" autoComplete="off" />
        <Field name="user" label="User name" hint="Usually the whole email address" autoComplete="off" />
        <PasswordField
          name="password"
          label="Password of the mail server"
          autoComplete="new-password"
          hint={
            mail.passwordAt === null
              ? "Stored encrypted, and never shown again"
              : `Set on ${shortMoment(mail.passwordAt)}; leave it empty to keep it`
          }
        />
        <Field
          name="sender"
          label="Sender"
          hint={senderHint}
          autoComplete="off"
          readOnly={mail.senderSetBy !== null}
        />
      </SectionForm>
    </Formik>
  );
}

function Security() {
  const { values, setValues } = useFormikContext<MailValues>();
  const choose = (security: MailSecurity) => {
    const isUsual = Object.values(PORTS).includes(values.port);
    void setValues({ ...values, security, port: isUsual ? PORTS[security] : values.port });
  };
  return (
    <SelectField
      name="security"
      label="Encryption"
      onChange={(event) => choose(event.target.value as MailSecurity)}
    >
      <option value="tls">TLS from the start (SSL, port 465)</option>
      <option value="starttls">STARTTLS (port 587)</option>
      <option value="none">None, for a mail server on this machine</option>
    </SelectField>
  );
}

/** Fills in server, port and encryption of a known mail service, and says where its password comes from. */
function Provider() {
  const id = useId();
  const { values, setValues } = useFormikContext<MailValues>();
  const chosen = MAIL_PROVIDERS.find(({ host }) => host === values.host.trim());
  const choose = (host: string) => {
    const provider = MAIL_PROVIDERS.find((it) => it.host === host);
    if (!provider) {
      void setValues({ ...values, host: "" });
      return;
    }
    const user = provider.user ?? (MAIL_PROVIDERS.some((it) => it.user === values.user) ? "" : values.user);
    void setValues({ ...values, host, port: provider.port, security: provider.security, user });
  };
  return (
    <div>
      <label htmlFor={id} className={LABEL}>
        Mail provider
      </label>
      <SelectInput
        id={id}
        aria-describedby={`${id}-note`}
        value={chosen?.host ?? ""}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">Not in this list</option>
        {MAIL_PROVIDERS.map(({ name, host }) => (
          <option key={host} value={host}>
            {name}
          </option>
        ))}
      </SelectInput>
      <p id={`${id}-note`} className="hint mt-1">
        {chosen?.note ?? "Gmail, Zoho, Brevo and others fill in the next three fields."}{" "}
        {chosen?.passwords && (
          <a href={chosen.passwords} target="_blank" rel="noreferrer" className="link">
            Make the password
          </a>
        )}
      </p>
    </div>
  );
}
