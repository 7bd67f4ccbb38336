import { useSWRConfig } from "swr";
import type { SubscribersBody, SubscribersExport } from "../../../generated/api";
import { request } from "../client";
import type {
  BackupSettings,
  BackupsMade,
  DatabaseCopy,
  DomainCheck,
  MailSettings,
  SaveBackups,
  SaveMail,
} from "../types";
import { useCall } from "../use-call";

const MAIL = "/settings/mail";
const BACKUPS = "/settings/backups";
const MADE = `${BACKUPS}/made`;

// A refetch would overwrite what is being edited.
const ONCE = { revalidateOnFocus: false, revalidateOnReconnect: false };

export function useMailSettings() {
  return useCall<MailSettings>(MAIL, "The mail server could not be loaded", ONCE);
}

export function useBackupSettings() {
  return useCall<BackupSettings>(BACKUPS, "The place of the backups could not be loaded", ONCE);
}

/** Returns the calls that change mail and backups; the steps and needs that follow from them are read again. */
export function useServerChanges() {
  const { mutate } = useSWRConfig();
  const put = async <T>(path: string, failure: string, body: SaveMail | SaveBackups): Promise<T> => {
    try {
      const saved = await request<T>(path, failure, { method: "PUT", body });
      await mutate(path, saved, { revalidate: false });
      void mutate(MADE);
      return saved;
    } catch (error) {
      // After a conflict the next try is based on the newest version.
      await mutate(path);
      throw error;
    } finally {
      void mutate("/report/overview");
      void mutate("/report/needs");
    }
  };
  return {
    saveMail: (mail: SaveMail) => put<MailSettings>(MAIL, "The mail server was not saved", mail),
    saveBackups: (backups: SaveBackups) => put<BackupSettings>(BACKUPS, "The place was not saved", backups),
  };
}

/** Writes a small file to the place of the backups, and returns what happened. */
export async function testBackups(): Promise<string> {
  const failure = "The place could not be tried";
  const { message } = await request<{ message: string }>(`${BACKUPS}/test`, failure, {
    method: "POST",
    body: {},
  });
  return message;
}

/** Returns the backups of the chosen place, again and again while one is being made. */
export function useBackupsMade(isShown: boolean) {
  return useCall<BackupsMade>(isShown ? MADE : null, "The backups could not be loaded", {
    refreshInterval: (made) => (made?.making ? 2_000 : 0),
    keepPreviousData: true,
  });
}

/** Has the server make a backup, which goes on after the answer. */
export function makeBackup(): Promise<unknown> {
  return request(MADE, "The backup was not begun", { method: "POST", body: {} });
}

/** Returns where a domain leads. */
export function lookUp(domain: string): Promise<DomainCheck> {
  return request<DomainCheck>("/settings/address/test", "The domain could not be looked up", {
    method: "POST",
    body: { domain },
  });
}

/** Makes a copy of the database, which can be downloaded once. */
export function makeCopy(): Promise<DatabaseCopy> {
  return request<DatabaseCopy>(`${BACKUPS}/copy`, "The copy could not be made", { method: "POST", body: {} });
}

/** Numbers of the addresses that get mails without an account. */
export function useSubscribers() {
  return useCall<SubscribersBody>("/subscriber", "The numbers could not be loaded");
}

/** Returns the confirmed addresses as CSV, which is logged. */
export function exportSubscribers(): Promise<SubscribersExport> {
  return request<SubscribersExport>("/subscriber/export", "The addresses could not be exported", {
    method: "POST",
    body: {},
  });
}
