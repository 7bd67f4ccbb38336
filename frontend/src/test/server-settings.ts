import type { SubscribersBody } from "../../generated/api";
import type { BackupSettings, MailSettings } from "../api/types";

/** Returns the settings of a shop without a mail server, with these changes. */
export function aMailServer(changes: Partial<MailSettings>): MailSettings {
  return {
    host: "",
    port: 0,
    security: "tls",
    user: "",
    sender: "",
    passwordAt: null,
    setBy: null,
    senderSetBy: null,
    server: null,
    problem: null,
    version: 0,
    ...changes,
  };
}

/** Returns the settings of a shop without backups, with these changes. */
export function aBackupPlace(changes: Partial<BackupSettings>): BackupSettings {
  return {
    place: "",
    endpoint: "",
    region: "",
    keyId: "",
    secretKeyAt: null,
    keyFile: "deals.sqlite.key",
    setBy: null,
    root: "/srv/shop",
    schedule: "Every 24 hours; the newest 7 are kept.",
    version: 0,
    ...changes,
  };
}

/** The numbers of a shop that nobody follows. */
export const NO_SUBSCRIBERS: SubscribersBody = {
  confirmed: 0,
  waiting: 0,
  lists: [],
  alerts: 0,
  pushAlerts: 0,
};
