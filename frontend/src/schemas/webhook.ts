import { array, object, string } from "yup";

/** Rules of a webhook; the server also checks where the address leads (src/accounts/webhooks). */
export const webhookSchema = object({
  url: string()
    .trim()
    .required("Enter the address that receives the events.")
    .matches(/^https?:\/\/\S+$/i, "Enter an https address, like https://example.com/hook."),
  events: array().of(string().required()).min(1, "Choose at least one event.").required(),
});
