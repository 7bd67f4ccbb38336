import type { ComponentProps } from "react";
import { Link as RouterLink } from "react-router-dom";

/** A link to another screen. All routes are known, so none has to be discovered by its links. */
export function Link(props: ComponentProps<typeof RouterLink>) {
  return <RouterLink discover="none" {...props} />;
}
