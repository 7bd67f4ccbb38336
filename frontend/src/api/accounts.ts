import type { Invitation, Message, SignedIn } from "./types";
import { post } from "./users";

/** The answer's `registration` identifies the form, for `verifyCode` and `resendCode`. */
export function register(form: {
  username: string;
  email: string;
  password: string;
}): Promise<Message & { registration: string }> {
  return post("register", "please login to continue", form);
}

/** Without `registration`, the code is valid only if a single form waits for the address. */
export function verifyCode(email: string, code: string, registration: string | null): Promise<Message> {
  return post("verify-code", "please enter correct otp", { email, code, registration }, "omit");
}

/** Fails for a setup link that is not valid. */
export function checkSetupLink(secret: string): Promise<unknown> {
  return post("setup-link", "The link could not be checked. Please try again.", { secret });
}

/** Makes the first administrator and signs in. */
export function setUp(
  secret: string,
  form: { username: string; email: string; password: string },
): Promise<SignedIn> {
  return post("setup", "The account could not be made. Please try again.", { ...form, secret });
}

/** Returns whom an invitation is for. */
export function checkInvitation(secret: string): Promise<Invitation> {
  return post("invitation", "The invitation could not be checked. Please try again.", { secret });
}

/** Makes the invited account and signs in. */
export function acceptInvitation(
  secret: string,
  form: { username: string; password: string },
): Promise<SignedIn> {
  return post("accept-invitation", "The account could not be made. Please try again.", { ...form, secret });
}

export function resendCode(email: string, registration: string | null): Promise<Message> {
  return post("resend-code", "failed to send a code please try again later", { email, registration });
}

/** The answer's `request` identifies the request, for `resetPassword`. */
export function forgotPassword(email: string): Promise<Message & { request: string }> {
  return post("forgot-password", "failed to send a code please try again later", { email });
}

/** Without `request`, the code is valid only if a single request waits for the address. */
export function resetPassword(
  form: { email: string; code: string; password: string },
  request: string | null,
): Promise<Message> {
  return post("reset-password", "failed to change the password please try again later", { ...form, request });
}

export function changePassword(form: {
  currentPassword: string;
  newPassword: string;
}): Promise<SignedIn & Message> {
  return post("change-password", "failed to change the password please try again later", form);
}
