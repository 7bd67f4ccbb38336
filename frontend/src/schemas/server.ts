import { number, object, string } from "yup";

/** Rules of mail and backups; the server also checks where they lead (src/accounts/server, src/maintenance/backups). */

const NO_BLANKS = /^\S+$/;

export const mailSchema = object({
  host: string().trim(),
  port: number()
    .typeError("Enter a port from 1 to 65535, like 465 or 587.")
    .integer("Enter a port from 1 to 65535, like 465 or 587.")
    .min(1, "Enter a port from 1 to 65535, like 465 or 587.")
    .max(65_535, "Enter a port from 1 to 65535, like 465 or 587."),
  user: string().trim(),
  password: string().when("user", {
    is: (user: string | undefined) => !user,
    // biome-ignore lint/suspicious/noThenProperty: the name is yup's
    then: (schema) => schema.max(0, "Enter the user name that the password is for."),
  }),
  sender: string()
    .trim()
    .when("host", {
      is: (host: string | undefined) => Boolean(host),
      // biome-ignore lint/suspicious/noThenProperty: the name is yup's
      then: (schema) =>
        schema
          .required("Enter the address that mails come from.")
          .matches(/@/, "Enter one address, like shop@example.com or Deals <shop@example.com>."),
    }),
});

export const folderSchema = object({
  folder: string().trim().required("Enter a folder."),
});

export const bucketSchema = object({
  bucket: string()
    .trim()
    .required("Enter the bucket.")
    .matches(/^s3:\/\/./, "Write it like s3://bucket/shop."),
  endpoint: string()
    .trim()
    .matches(/^https?:\/\/\S+$/, {
      message: "Enter an https address, like https://s3.example.com, or nothing for Amazon.",
      excludeEmptyString: true,
    }),
  region: string().trim().required("Enter the bucket's region, like eu-central-1, or auto."),
  keyId: string()
    .trim()
    .required("Enter the id of the access key.")
    .matches(NO_BLANKS, "Enter it without blanks."),
});
