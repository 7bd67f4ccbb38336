/** Parts of the settings by their ids. */
export const SECTIONS = [
  ["texts", "Name and contact"],
  ["logo", "Logo"],
  ["colour", "Colour"],
  ["pages", "Pages"],
  ["same-words", "Words for the same thing"],
  ["mail", "Mail"],
  ["backups", "Backups"],
  ["subscribers", "Mails of new deals"],
  ["device", "This device"],
  ["running", "Server"],
] as const;
