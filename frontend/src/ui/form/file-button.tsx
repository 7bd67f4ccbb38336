import type { ComponentProps, Ref } from "react";

interface FileButtonProps extends Omit<ComponentProps<"input">, "type" | "className" | "ref"> {
  id: string;
  /** Text of the button, in place of the browser's own in its own language. */
  text: string;
  ref?: Ref<HTMLInputElement>;
}

/** A file field that looks like a button; its label is elsewhere. */
export function FileButton({ id, text, ...rest }: FileButtonProps) {
  return (
    <span className="file-button">
      <input {...rest} id={id} type="file" className="sr-only" />
      <label htmlFor={id} aria-hidden className="btn">
        {text}
      </label>
    </span>
  );
}
