import type { MailSecurity } from "../../../api/types";

/** A mail service that many shops use, with what its form needs. */
export interface MailProvider {
  name: string;
  host: string;
  port: string;
  security: MailSecurity;
  /** Fixed user name. */
  user?: string;
  /** Where its password comes from. */
  note: string;
  /** Address of the page that makes it. */
  passwords?: string;
}

export const MAIL_PROVIDERS: readonly MailProvider[] = [
  {
    name: "Gmail or Google Workspace",
    host: "smtp.gmail.com",
    port: "465",
    security: "tls",
    note: "Gmail takes an app password, not the one that you sign in with. Switch on 2-Step Verification, make an app password and paste its 16 letters. The user name is your whole Gmail address.",
    passwords: "https://myaccount.google.com/apppasswords",
  },
  {
    name: "Zoho Mail (India)",
    host: "smtp.zoho.in",
    port: "465",
    security: "tls",
    note: "The user name is your whole address. With two-factor sign-in, make an app password under Security.",
    passwords: "https://accounts.zoho.in/home#security/app_password",
  },
  {
    name: "Brevo",
    host: "smtp-relay.brevo.com",
    port: "587",
    security: "starttls",
    note: "User name and SMTP key are in Brevo under SMTP & API. The SMTP key is the password; the one that you sign in with is refused.",
    passwords: "https://app.brevo.com/settings/keys/smtp",
  },
  {
    name: "Amazon SES (Mumbai)",
    host: "email-smtp.ap-south-1.amazonaws.com",
    port: "587",
    security: "starttls",
    note: "Make SMTP credentials in the SES console; an AWS access key is refused. Verify the sender there, too. If your region is not Mumbai, replace ap-south-1 in the mail server.",
  },
  {
    name: "Hostinger",
    host: "smtp.hostinger.com",
    port: "465",
    security: "tls",
    note: "The user name is the whole address of a mailbox there, with that mailbox's password.",
  },
  {
    name: "SendGrid",
    host: "smtp.sendgrid.net",
    port: "587",
    security: "starttls",
    user: "apikey",
    note: "The user name is the word apikey, and the password is an API key of SendGrid that may send mail.",
  },
  {
    name: "Resend",
    host: "smtp.resend.com",
    port: "465",
    security: "tls",
    user: "resend",
    note: "The user name is the word resend, and the password is an API key of Resend.",
  },
];
