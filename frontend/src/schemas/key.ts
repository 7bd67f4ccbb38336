import { array, number, object, string } from "yup";

/** Rules of a new API key, as on the server (src/accounts/keys.rs). */
export const keySchema = object({
  name: string()
    .trim()
    .required("Give the key a name of 1 to 50 characters.")
    .max(50, "Give the key a name of 1 to 50 characters."),
  scopes: array().of(string().required()).min(1, "Choose what the key may do.").required(),
  days: number()
    .typeError("A key is valid for 1 to 730 days.")
    .integer("A key is valid for 1 to 730 days.")
    .min(1, "A key is valid for 1 to 730 days.")
    .max(730, "A key is valid for 1 to 730 days.")
    .required("A key is valid for 1 to 730 days."),
});
