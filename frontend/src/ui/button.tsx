import type { ComponentProps } from "react";
import { classNames } from "./class-names";
import { Link } from "./link";

type Look = "primary" | "quiet" | "plain" | "danger";

const LOOKS: Record<Look, string> = {
  primary: "btn btn-primary",
  quiet: "btn",
  danger: "btn btn-danger",
  plain: "btn btn-plain",
};

function look(name: Look, more: string | undefined): string {
  return classNames(LOOKS[name], more);
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
