import { Formik, type FormikHelpers, useFormikContext } from "formik";
import { useState } from "react";
import { lazy as lazily, number, object, string } from "yup";
import { failureText, fieldErrors } from "../../../api/failure";
import { useChannelChanges } from "../../../api/outgoing/channels";
import type { Channel, ChannelKind, ChannelMade } from "../../../api/types";
import { shortMoment } from "../../../lib/time";
import { EMPTY_RULE, RuleFields, ruleOf, ruleValues } from "../../../product/office/rule-fields";
import { FIELD_PAIRS, Field, PasswordField, SelectField } from "../../../ui/form/field";
import { Form } from "../../../ui/form/form";
import { useToast } from "../../../ui/toast/toast";
import { KINDS } from "./kinds";
import { TelegramSteps } from "./telegram-steps";
import { TemplateField } from "./template-field";

function valuesOf(usual: string, channel: Channel | undefined) {
  const rule = channel?.rule;
  const filters = rule ? ruleValues(rule.query ?? null) : EMPTY_RULE;
  const hour = (hour: number | null | undefined) => (hour === null ? "" : String(hour ?? ""));
  return {
    kind: channel?.kind ?? ("telegram" as ChannelKind),
    isNew: channel === undefined,
    name: channel?.name ?? "",
    chat: channel?.chat ?? "",
    token: "",
    template: channel?.template || usual,
    posts: rule?.on ? "rule" : "hand",
    ...filters,
    proven: filters.proven || rule?.provenOnly === true,
    perHour: String(rule?.perHour ?? 4),
    quietFrom: rule ? hour(rule.quietFrom) : "23",
    quietTo: rule ? hour(rule.quietTo) : "7",
    againAfterDays: String(rule?.againAfterDays ?? 14),
  };
}

type Values = ReturnType<typeof valuesOf>;

function whole(most: number) {
  const words = `Enter a whole number from 1 to ${most}.`;
  return number().typeError(words).integer(words).min(1, words).max(most, words).required(words);
}

const RULES = {
  name: string().trim().required("Give the channel a name."),
  perHour: whole(60),
  againAfterDays: whole(90),
  quietTo: string().when("quietFrom", ([from], hour) =>
    from === ""
      ? hour
      : hour.required("Choose when posts continue.").notOneOf([from], "Choose another hour."),
  ),
};

function required(is: boolean, words: string) {
  return is ? string().trim().required(words) : string();
}

/** Rules of the form, so that all that is missing is marked at once; the server checks the rest. */
const schema = lazily(({ kind, isNew }: Values) =>
  object({
    ...RULES,
    token: required(
      isNew && takesToken(kind),
      kind === "telegram" ? "Enter the bot token." : "Enter the address of the webhook.",
    ),
    chat: required(
      takesChat(kind),
      kind === "telegram" ? "Enter the channel or group, like @loot_deals." : "Enter the address.",
    ),
  }),
);

interface ChannelFormProps {
  /** The template of channels that have none of their own. */
  usual: string;
  /** The channel to change; without it, one is added. */
  of?: Channel;
  onDone: (made: ChannelMade) => void;
}

/** The form of a channel. */
export function ChannelForm({ usual, of, onDone }: ChannelFormProps) {
  const { add, change } = useChannelChanges();
  const [error, setError] = useState<string>();
  const toast = useToast();
  // A channel that the server switched off is saved to work again.
  const isRepair = of !== undefined && of.offReason !== "";
  const submit = async (values: Values, { resetForm, setErrors }: FormikHelpers<Values>) => {
    setError(undefined);
    const { kind, name, template, token } = values;
    const hour = (hour: string) => (values.quietFrom === "" || hour === "" ? null : Number(hour));
    const input = {
      name,
      template: template.trim() === usual.trim() ? "" : template,
      ...(takesChat(kind) && { chat: values.chat }),
      ...(token !== "" && takesToken(kind) && { token }),
      ...(isRepair && { on: true }),
      rule: {
        on: values.posts === "rule",
        query: ruleOf({ ...values, proven: false }),
        provenOnly: values.proven,
        perHour: Number(values.perHour),
        quietFrom: hour(values.quietFrom),
        quietTo: hour(values.quietTo),
        againAfterDays: Number(values.againAfterDays),
      },
    };
    try {
      const made = await (of ? change(of.id, input) : add({ kind, ...input }));
      toast({ title: of ? `“${name.trim()}” is changed` : `“${name.trim()}” is added` });
      resetForm();
      onDone(made);
    } catch (failure) {
      setErrors(fieldErrors(failure));
      setError(failureText(failure));
    }
  };
  return (
    <Formik initialValues={valuesOf(usual, of)} validationSchema={schema} onSubmit={submit}>
      {({ values }) => (
        <Form
          error={error}
          submit={isRepair ? "Save and switch on" : of ? "Save" : "Add channel"}
          pending="Saving..."
          wide
        >
          <div className="grid items-start gap-x-8 gap-y-4 wide:grid-cols-2">
            <div className="flex flex-col gap-4">
              {of === undefined && (
                <SelectField name="kind" label="Kind" hint={KINDS[values.kind].hint}>
                  {Object.entries(KINDS).map(([kind, { name }]) => (
                    <option key={kind} value={kind}>
                      {name}
                    </option>
                  ))}
                </SelectField>
              )}
              <Field
                name="name"
                label="Name"
                hint="For you, and in the links of posts, so that reports show the channel"
                autoComplete="off"
                maxLength={60}
              />
              {values.kind === "telegram" && values.isNew && <TelegramSteps />}
              <Access of={of} />
              <SelectField name="posts" label="What is posted">
                <option value="hand">Only what I post or queue</option>
                <option value="rule">Also deals by a rule</option>
              </SelectField>
              {values.posts === "rule" && (
                <>
                  <RuleFields />
                  <RuleTimes />
                </>
              )}
              <Field
                name="againAfterDays"
                label="Days until the same deal may be posted again"
                inputMode="numeric"
                autoComplete="off"
              />
            </div>
            <TemplateField usual={usual} />
          </div>
        </Form>
      )}
    </Formik>
  );
}

function takesToken(kind: ChannelKind): boolean {
  return kind === "telegram" || kind === "discord";
}

function takesChat(kind: ChannelKind): boolean {
  return kind === "telegram" || kind === "webhook";
}

/** Where a channel is, and what lets the shop post there. */
function Access({ of }: { of: Channel | undefined }) {
  const { kind } = useFormikContext<Values>().values;
  const secret = of?.secretSetAt
    ? { hint: `Set on ${shortMoment(of.secretSetAt)}, and never shown. Leave it empty to keep it.` }
    : {};
  return (
    <>
      {kind === "telegram" && (
        <PasswordField
          name="token"
          label="Bot token"
          hint="As @BotFather shows it, like 123456:ABC…"
          autoComplete="off"
          {...secret}
        />
      )}
      {kind === "discord" && (
        <PasswordField
          name="token"
          label="Address of the webhook"
          hint="As Discord shows it; keep it to yourself"
          autoComplete="off"
          {...secret}
        />
      )}
      {takesChat(kind) && (
        <Field
          name="chat"
          label={kind === "telegram" ? "Channel or group" : "Address"}
          hint={
            kind === "telegram"
              ? "Like @loot_deals; for a private one, the link of one of its messages"
              : "Like https://example.com/deals"
          }
          autoComplete="off"
        />
      )}
    </>
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, "0"));

/** How often and when a rule posts. */
function RuleTimes() {
  const { quietFrom } = useFormikContext<Values>().values;
  const hours = HOURS.map((hour) => (
    <option key={hour} value={String(Number(hour))}>
      {`${hour}:00`}
    </option>
  ));
  return (
    <div className={FIELD_PAIRS}>
      <Field name="perHour" label="Maximum posts an hour" inputMode="numeric" autoComplete="off" />
      <SelectField name="quietFrom" label="Quiet from (India)">
        <option value="">No quiet hours</option>
        {hours}
      </SelectField>
      {quietFrom !== "" && (
        <SelectField name="quietTo" label="Quiet until (India)">
          <option value="">Choose…</option>
          {hours}
        </SelectField>
      )}
    </div>
  );
}
