import { type ComponentProps, createElement } from "react";

/** Elements of a Lucide icon, 24 by 24: `icon:house` imports the house. */
export type Drawing = readonly (readonly [string, Readonly<Record<string, string>>])[];

interface IconProps extends ComponentProps<"svg"> {
  of: Drawing;
}

/** An icon, styled in styles/base.css. */
export function Icon({ of, ...rest }: IconProps) {
  return createElement(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": true, ...rest },
    ...of.map(([element, attributes]) => createElement(element, attributes)),
  );
}
