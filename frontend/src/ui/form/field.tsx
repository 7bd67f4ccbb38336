import chevronDown from "icon:chevron-down";
import { getIn, useField, useFormikContext } from "formik";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { classNames } from "../class-names";
import { Icon } from "../icon";

/** Fields side by side where there is room. */
export const FIELD_PAIRS = "grid grid-cols-1 items-start gap-4 mid:grid-cols-2";

export const INPUT =
  "h-11 w-full min-w-0 rounded border bg-surface px-3 text-base hover:border-ink-2 aria-invalid:border-danger border-field";

export const LABEL = "block pb-1 text-sm font-semibold";

interface FieldProps extends Omit<ComponentProps<"input">, "name"> {
  name: string;
  label: string;
  hint?: string;
  /** Text before the input, like ₹. */
  unit?: string;
}

export function Field({ name, label, hint, unit, className, ...rest }: FieldProps) {
  const { field, control, frame } = useControl(name, label, hint);
  return frame(
    <span className="relative block">
      {unit !== undefined && (
        <span aria-hidden className="pointer-events-none absolute top-0 left-3 leading-[2.75rem] text-ink-3">
          {unit}
        </span>
      )}
      <input
        {...field}
        {...control}
        {...rest}
        className={classNames(INPUT, unit !== undefined && "pl-8", className)}
      />
    </span>,
  );
}

interface TextAreaProps extends Omit<ComponentProps<"textarea">, "name"> {
  name: string;
  label: string;
  hint?: string;
}

export function TextAreaField({ name, label, hint, ...rest }: TextAreaProps) {
  const { field, control, frame } = useControl(name, label, hint);
  return frame(<textarea {...field} {...control} {...rest} className={`${INPUT} h-auto min-h-32 py-2`} />);
}

interface SelectFieldProps extends Omit<ComponentProps<"select">, "name"> {
  name: string;
  label: string;
  hint?: string;
}

/** A native select; its options are its children. */
export function SelectField({ name, label, hint, children, ...rest }: SelectFieldProps) {
  const { field, control, frame } = useControl(name, label, hint);
  return frame(
    <SelectInput {...field} {...control} {...rest}>
      {children}
    </SelectInput>,
  );
}

/** A native select that looks like the other fields. */
export function SelectInput({ children, ...rest }: Omit<ComponentProps<"select">, "className">) {
  return (
    <span className="relative block">
      <select {...rest} className={`${INPUT} appearance-none pr-9`}>
        {children}
      </select>
      <span className="pointer-events-none absolute top-3.5 right-3 text-ink-3">
        <Icon of={chevronDown} />
      </span>
    </span>
  );
}

export function PasswordField({ name, label, hint, ...rest }: FieldProps) {
  const { field, control, frame } = useControl(name, label, hint);
  const [shown, setShown] = useState(false);
  return frame(
    <span className="relative block">
      <input
        {...field}
        {...control}
        {...rest}
        type={shown ? "text" : "password"}
        className={`${INPUT} pr-16`}
      />
      <button
        type="button"
        aria-pressed={shown}
        aria-label={`Show ${label.toLowerCase()}`}
        onClick={() => setShown(!shown)}
        className="absolute top-0 right-0 h-11 rounded px-3 text-sm font-semibold text-accent"
      >
        {shown ? "Hide" : "Show"}
      </button>
    </span>,
  );
}

/** Returns the attributes that tie a control to its label, hint and error. */
function useControl(name: string, label: string, hint: string | undefined) {
  const id = useId();
  const [field, meta, { setTouched }] = useField<string>(name);
  const { errors } = useFormikContext();
  // An error of the whole list is a text, whose letters are no errors of its rows.
  const list = /^(.*)[.[]/.exec(name)?.[1];
  const own = list === undefined || typeof getIn(errors, list) !== "string";
  const error = meta.touched && own ? meta.error : undefined;
  const described = classNames(error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`);
  const isUntyped = field.value === "" && meta.initialValue === "";
  return {
    // A field that is passed without typing gets its error on submit: earlier, it would move what is being clicked.
    // Leaving a field validates nothing: that would remove the server's errors as the form moves the focus to them.
    field: { ...field, onBlur: isUntyped ? undefined : () => void setTouched(true, false) },
    control: {
      id,
      "aria-invalid": error !== undefined,
      ...(described ? { "aria-describedby": described } : {}),
    },
    frame: (control: ReactNode) => (
      <div>
        <label htmlFor={id} className={LABEL}>
          {label}
        </label>
        {control}
        {hint !== undefined && (
          <p id={`${id}-hint`} className="pt-1 text-sm text-ink-3">
            {hint}
          </p>
        )}
        {error !== undefined && (
          <p id={`${id}-error`} className="pt-1 text-sm text-danger">
            {error}
          </p>
        )}
      </div>
    ),
  };
}
