import { post, type SignedIn, type Told } from "./users";

/** `registration` names the form that waits, for its code and for another one. */
export function register(form: {
  username: string;
  email: string;
  password: string;
}): Promise<Told & { registration: string }> {
  return post("register", "please login to continue", form);
}

/** Without `registration`, the code counts while a single form waits for the address. */
export function verifyCode(email: string, code: string, registration: string | null): Promise<Told> {
  return post("verify-code", "please enter correct otp", { email, code, registration }, "omit");
}

export function resendCode(email: string, registration: string | null): Promise<Told> {
  return post("resend-code", "failed to send a code please try again later", { email, registration });
}

/** `request` names what was asked for, for its code. */
export function forgotPassword(email: string): Promise<Told & { request: string }> {
  return post("forgot-password", "failed to send a code please try again later", { email });
}

/** Without `request`, the code counts while a single one waits for the address. */
export function resetPassword(
  form: { email: string; code: string; password: string },
  request: string | null,
): Promise<Told> {
  return post("reset-password", "failed to change the password please try again later", { ...form, request });
}

export function changePassword(form: {
  currentPassword: string;
  newPassword: string;
}): Promise<SignedIn & Told> {
  return post("change-password", "failed to change the password please try again later", form);
}
