import { useRef } from "react";

/** Returns 128 random bits; `crypto.randomUUID` is missing on pages over plain http. */
function newKey(): string {
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)));
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Sends requests of a form with an `Idempotency-Key`. The same request again, after a failure, has the
 * same key, so that one whose answer was lost is not done twice; another request has another key.
 */
export function useRequestKey() {
  const last = useRef<{ request: string; key: string }>(undefined);
  return async <T>(request: string, send: (key: string) => Promise<T>): Promise<T> => {
    if (last.current?.request !== request) {
      last.current = { request, key: newKey() };
    }
    const answer = await send(last.current.key);
    last.current = undefined;
    return answer;
  };
}
