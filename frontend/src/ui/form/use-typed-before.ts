import { type RefObject, useEffect, useRef } from "react";

/**
 * Takes over what somebody typed or chose in a field of the served page before the app
 * was there, which React knows nothing of. `value` is what the field should hold.
 */
export function useTypedBefore(
  field: RefObject<HTMLInputElement | HTMLSelectElement | null>,
  value: string,
  take: (text: string) => void,
): void {
  const taken = useRef(false);
  useEffect(() => {
    if (!taken.current && field.current && field.current.value !== value) {
      take(field.current.value);
    }
    taken.current = true;
  });
}
