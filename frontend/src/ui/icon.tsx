// Mirrored by src/http/pages/icons.rs

import { type ComponentProps, createElement } from "react";

/** The elements of one of Lucide's drawings, on 24 by 24: `icon:house` brings the house. */
export type Drawing = readonly (readonly [string, Readonly<Record<string, string>>])[];

interface IconProps extends ComponentProps<"svg"> {
  of: Drawing;
}

/** A drawing: styles/base.css says how its lines look, and how large it is where no part does. */
export function Icon({ of, ...rest }: IconProps) {
  return createElement(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": true, ...rest },
    ...of.map(([element, attributes]) => createElement(element, attributes)),
  );
}
