import type { ComponentProps } from "react";
import { classNames } from "./class-names";
import { Link } from "./link";

type Variant = "primary" | "quiet" | "plain" | "danger";

const CLASSES: Record<Variant, string> = {
  primary: "btn btn-primary",
  quiet: "btn",
  danger: "btn btn-danger",
  plain: "btn btn-plain",
};

function classOf(variant: Variant, more: string | undefined): string {
  return classNames(CLASSES[variant], more);
}

interface ButtonStyle {
  variant?: Variant;
}

export function Button({
  variant = "quiet",
  className,
  type = "button",
  ...rest
}: ComponentProps<"button"> & ButtonStyle) {
  return <button type={type} className={classOf(variant, className)} {...rest} />;
}

export function ButtonLink({
  variant = "quiet",
  className,
  ...rest
}: ComponentProps<typeof Link> & ButtonStyle) {
  return <Link className={classOf(variant, className)} {...rest} />;
}

export function ButtonAnchor({
  variant = "quiet",
  className,
  children,
  ...rest
}: ComponentProps<"a"> & ButtonStyle) {
  return (
    <a className={classOf(variant, className)} {...rest}>
      {children}
    </a>
  );
}
