import { office } from "../../../lib/office-paths";

/** Returns the path of a step, or of the end without one. */
export function stepPath(key: string | undefined): string {
  return `${office.setup}?step=${key ?? "end"}`;
}
