/** Account screens, one chunk. */

export { FirstStartPage } from "../features/first-start/first-start-page";
export { InvitePage } from "../features/first-start/invite-page";
export { ForgotPasswordPage } from "../features/forgot-password/forgot-password-page";
export { LoginPage } from "../features/login/login-page";
export { ProfilePage } from "../features/profile/profile-page";
export { RegisterPage } from "../features/register/register-page";
export { ResetPasswordPage } from "../features/reset-password/reset-password-page";
export { VerifyOtpPage } from "../features/verify-otp/verify-otp-page";
