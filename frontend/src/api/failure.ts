import { tryAgain } from "../texts/en.json";
import { ApiError } from "./client";

/**
 * Returns the message of a failed request: the server's, or the call's own if there is none
 * (spec section 8).
 */
export function failureText(error: unknown): string {
  return error instanceof ApiError ? error.message : tryAgain;
}

export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  return error instanceof ApiError ? error.fields : {};
}
