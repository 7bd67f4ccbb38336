import { ApiError } from "./client";

/** What to say of a failed request beside its form. */
export function failureText(error: unknown): string {
  if (error instanceof ApiError && !error.unreachable) {
    return error.message;
  }
  return "The shop did not answer. Please try again.";
}

/** What the server said about single fields. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  return error instanceof ApiError ? error.fields : {};
}
