import type { ComponentProps } from "react";
import { Link } from "react-router-dom";
import { classNames } from "./class-names";

type Look = "primary" | "quiet" | "plain" | "danger";

const BASE =
  "inline-flex min-h-11 items-center justify-center gap-2 rounded px-3 text-sm font-semibold " +
  "wide:min-h-9 disabled:opacity-50 motion-safe:transition-colors motion-safe:duration-100";

const LOOKS: Record<Look, string> = {
  primary: "border border-transparent bg-accent text-on-accent hover:bg-accent-strong",
  quiet: "border border-line text-ink hover:border-ink-3 hover:bg-raised",
  danger: "border border-danger text-danger hover:bg-raised",
  plain: "border border-transparent text-accent hover:bg-raised",
};

function look(name: Look, more: string | undefined): string {
  return classNames(BASE, LOOKS[name], more);
}

interface Looks {
  look?: Look;
}

export function Button({
  look: name = "quiet",
  className,
  type = "button",
  ...rest
}: ComponentProps<"button"> & Looks) {
  return <button type={type} className={look(name, className)} {...rest} />;
}

/** A link to another screen that looks like a button. */
export function ButtonLink({
  look: name = "quiet",
  className,
  ...rest
}: ComponentProps<typeof Link> & Looks) {
  return <Link className={look(name, className)} {...rest} />;
}

/** A link to another site that looks like a button. */
export function ButtonAnchor({
  look: name = "quiet",
  className,
  children,
  ...rest
}: ComponentProps<"a"> & Looks) {
  return (
    <a className={look(name, className)} {...rest}>
      {children}
    </a>
  );
}
