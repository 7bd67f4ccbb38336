import type { Enrolment, Factor, Message, RecoveryCodes, SignedIn } from "./types";
import { useCall } from "./use-call";
import { post } from "./users";

/** Returns whether the account has a second factor. */
export function useFactor() {
  return useCall<Factor>("/user/totp", "The second factor could not be loaded");
}

/** Finishes a sign-in that waits for a code; `remember`: this browser is not asked for 30 days. */
export function signInWithCode(pending: string, code: string, remember: boolean): Promise<SignedIn> {
  return post("sign-in-code", "failed to login please try again later", { pending, code, remember });
}

/** Makes a secret for an app. */
export function beginFactor(password: string): Promise<Enrolment> {
  return post("totp/begin", "The second factor could not be set up", { password });
}

/** Enables the second factor by its first code; only this answer has the recovery codes. */
export function enableFactor(code: string): Promise<RecoveryCodes> {
  return post("totp/enable", "The code could not be checked. Please try again.", { code });
}

/** Replaces the recovery codes. */
export function renewRecoveryCodes(): Promise<RecoveryCodes> {
  return post("totp/recovery-codes", "The recovery codes were not replaced");
}

export function disableFactor(): Promise<Message> {
  return post("totp/disable", "The second factor was not switched off");
}

/** Confirms the session by a code, for calls that ask for it again. */
export function confirmSession(code: string): Promise<Message> {
  return post("confirm", "The code could not be checked. Please try again.", { code });
}
