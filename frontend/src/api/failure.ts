import { ApiError } from "./client";

/**
 * What to say of a failed request beside its form: the server's sentence, or the
 * call's own where there is none (spec section 8).
 */
export function failureText(error: unknown): string {
  return error instanceof ApiError ? error.message : "Something went wrong. Please try again.";
}

/** What the server said about single fields. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  return error instanceof ApiError ? error.fields : {};
}
