import { useField } from "formik";
import type { ComponentProps } from "react";

interface ChoicesProps {
  /** Field with the chosen values. */
  name: string;
  legend: string;
  choices: { value: string; words: string }[];
}

/** Checkboxes with the words and the API's name of each choice. */
export function Choices({ name, legend, choices }: ChoicesProps) {
  const [, { touched, error }] = useField(name);
  return (
    <fieldset className="flex flex-col">
      <legend className="pb-1 text-sm font-semibold">{legend}</legend>
      {choices.map((choice) => (
        <Choice key={choice.value} name={name} {...choice} />
      ))}
      {touched && error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function Choice({ name, value, words }: { name: string; value: string; words: string }) {
  const [box] = useField({ name, type: "checkbox", value });
  return (
    <Checkbox {...box}>
      <span className="flex min-w-0 flex-wrap gap-x-2">
        {words}
        <code className="text-ink-3">{value}</code>
      </span>
    </Checkbox>
  );
}

/** A checkbox before its words. */
export function Checkbox({ children, ...box }: ComponentProps<"input">) {
  return (
    <label className="flex min-h-8 gap-2 py-1.5 text-sm wrap-anywhere">
      <input {...box} type="checkbox" className="mt-0.5 size-4 shrink-0 accent-accent" />
      {children}
    </label>
  );
}
