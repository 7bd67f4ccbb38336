import type { ComponentProps } from "react";
import { Link as RouterLink } from "react-router-dom";

/** A link to another screen; the router discovers no routes, since it knows all. */
export function Link(props: ComponentProps<typeof RouterLink>) {
  return <RouterLink discover="none" {...props} />;
}
