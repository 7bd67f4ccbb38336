import { screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { BackupSettings, BackupsMade } from "../../../api/types";
import { defaultShop } from "../../../shop/shop";
import { aUser, fakeServer } from "../../../test/fake-server";
import { renderApp } from "../../../test/render-app";
import { aBackupPlace, aMailServer, NO_SUBSCRIBERS } from "../../../test/server-settings";

const NONE = aBackupPlace({});

const NO_BACKUPS: BackupsMade = {
  making: false,
  failure: null,
  next: null,
  problem: null,
  total: 0,
  newest: [],
};

function openBackups(
  backups: BackupSettings,
  answer?: { status: number; body: unknown },
  made: BackupsMade = NO_BACKUPS,
  after: Partial<BackupsMade> = {},
) {
  let asked = 0;
  let answers = 0;
  localStorage.setItem("token", "a-token");
  const sent: Record<string, unknown>[] = [];
  fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname === "/settings/backups") {
      if (init.method === "PUT") {
        const change = JSON.parse(String(init.body));
        sent.push(change);
        return answer ?? { body: { ...backups, ...change, version: 1 } };
      }
      return { body: backups };
    }
    if (url.pathname === "/settings/backups/made") {
      if (init.method === "POST") {
        asked += 1;
        return { body: { message: "The backup has begun." } };
      }
      // The second answer finds the backup that was asked for.
      answers += asked;
      return { body: { ...made, making: asked > 0 && answers === 1, ...(answers > 1 ? after : {}) } };
    }
    if (url.pathname === "/settings/backups/copy") {
      return {
        body: {
          path: "/settings/backups/copy/1",
          name: "a.sqlite",
          bytes: 2_400_000,
          products: 1,
          accounts: 1,
        },
      };
    }
    if (url.pathname === "/settings") {
      return {
        body: { shop: defaultShop, accent: null, ownMark: false, drafts: [], digestHour: 9, version: 1 },
      };
    }
    if (url.pathname === "/subscriber") {
      return { body: NO_SUBSCRIBERS };
    }
    if (url.pathname === "/settings/mail") {
      return { body: aMailServer({}) };
    }
    return { body: { setup: [], data: [] } };
  });
  return { ...renderApp("/admin/settings#backups"), sent };
}

it("saves a folder below that of the database", async () => {
  const { user, sent } = openBackups(NONE);
  await user.selectOptions(await screen.findByLabelText("Backups go to"), "folder");
  expect(screen.getByLabelText("Folder")).toHaveValue("/srv/shop/backups");
  await user.click(screen.getByRole("button", { name: "Save backup location" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent).toEqual([{ version: 0, place: "/srv/shop/backups", endpoint: "", region: "", keyId: "" }]);
  expect(await screen.findByRole("button", { name: "Test the location" })).toBeVisible();
});

it("saves a bucket with its secret key once all fields are filled", async () => {
  const { user, sent } = openBackups(NONE);
  await user.selectOptions(await screen.findByLabelText("Backups go to"), "bucket");
  await user.click(screen.getByRole("button", { name: "Save backup location" }));
  expect(await screen.findByText("Enter the bucket.")).toBeVisible();
  await user.type(screen.getByLabelText("Bucket"), "s3://shops/mine");
  await user.type(screen.getByLabelText("Region"), "auto");
  await user.type(screen.getByLabelText("Key id"), "id");
  await user.type(screen.getByLabelText("Secret key"), "secret");
  await user.click(screen.getByRole("button", { name: "Save backup location" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  const place = "s3://shops/mine";
  expect(sent).toEqual([
    { version: 0, place, endpoint: "", region: "auto", keyId: "id", secretKey: "secret" },
  ]);
});

it("shows at the folder why it can't be used", async () => {
  const said = "Choose a folder below /srv/shop.";
  const { user } = openBackups(NONE, { status: 400, body: { error: said, fields: { place: said } } });
  await user.selectOptions(await screen.findByLabelText("Backups go to"), "folder");
  await user.click(screen.getByRole("button", { name: "Save backup location" }));
  await waitFor(() => expect(screen.getByLabelText("Folder")).toBeInvalid());
});

it("says which option names the place, and has no form then", async () => {
  openBackups({ ...NONE, setBy: "DEALS_BACKUP_DIR", place: "/backup", schedule: "Every 24 hours." });
  expect(await screen.findByText(/^Set by DEALS_BACKUP_DIR: backups go to/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Save backup location" })).toBeNull();
});

it("downloads a copy once it is made", async () => {
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  const { user } = openBackups(NONE);
  await user.click(await screen.findByRole("button", { name: "Download a copy now" }));
  expect(await screen.findByText("a.sqlite with 1 deal (2.4 MB) is being downloaded.")).toBeVisible();
  expect(click.mock.instances[0]).toHaveAttribute("href", "/settings/backups/copy/1");
});

const OLD = { name: "deals-20260301T000000Z.sqlite", at: "2026-03-01T00:00:00Z", bytes: 2_400_000 };
const NEW = { name: "deals-20260302T000000Z.sqlite", at: "2026-03-02T00:00:00Z", bytes: 2_500_000 };

it("shows the last and the next backup, and makes one at once", async () => {
  const made = { ...NO_BACKUPS, total: 1, newest: [OLD], next: "2036-03-02T00:00:00Z" };
  const after = { total: 2, newest: [NEW, OLD] };
  const { user } = openBackups(aBackupPlace({ place: "/srv/shop/backups" }), undefined, made, after);
  expect(await screen.findByText(/^1 Mar.* 05:30, 2\.4 MB$/)).toBeVisible();
  expect(screen.getByText("2 Mar 2036 05:30")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Back up now" }));
  expect(await screen.findByText("A backup is being made...")).toBeVisible();
  expect(screen.getByRole("button", { name: "Back up now" })).toBeDisabled();
  expect(await screen.findByText(/^2 Mar.* 05:30, 2\.5 MB$/, {}, { timeout: 5_000 })).toBeVisible();
  await user.click(screen.getByText("All 2 backups"));
  expect(screen.getByText(OLD.name)).toBeVisible();
});

it("says why the last backup failed", async () => {
  const failure = "The folder is gone: is its disk mounted?";
  openBackups(aBackupPlace({ place: "/srv/shop/backups" }), undefined, { ...NO_BACKUPS, failure });
  expect(await screen.findByText(/^The last backup failed: The folder is gone/)).toBeVisible();
});
