// Mails of the shop: its mail server keeps each as a file.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const { MAIL_DIR } = process.env;

/** Waits for a mail to this address, for as long as a test may take. */
async function mailFor(email, subject) {
  for (;;) {
    const names = (await readdir(MAIL_DIR))
      .filter((name) => name.endsWith(".eml"))
      .sort()
      .reverse();
    for (const name of names) {
      const mail = await readFile(join(MAIL_DIR, name), "utf8");
      if (mail.includes(`To: ${email}`) && mail.includes(`Subject: ${subject}`)) {
        return mail;
      }
    }
    await pause(100);
  }
}

/** Waits for a mail, and gives the code in it. */
export async function codeFor(email, subject) {
  return /^\s+(\d{6})\s*$/m.exec(await mailFor(email, subject))[1];
}

/** Waits for a mail without an account, and gives the path of the link that ends such mails. */
export async function linkFor(email, subject) {
  const mail = (await mailFor(email, subject)).replaceAll(/=\r?\n/g, "");
  return /\/subscriptions\/[\w-]{43}/.exec(mail)[0];
}
