import { type RefObject, useEffect, useRef } from "react";

/**
 * Takes over what was typed into a field of the server's page before hydration, which React
 * does not know. `value` is the field's value by the app's state.
 */
export function useEarlyInput(
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
