import { screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { BackupSettings } from "../../../api/types";
import { defaultShop } from "../../../shop/shop";
import { aUser, fakeServer } from "../../../test/fake-server";
import { renderApp } from "../../../test/render-app";
import { aBackupPlace, aMailServer, NO_SUBSCRIBERS } from "../../../test/server-settings";

const NONE = aBackupPlace({});

function openBackups(backups: BackupSettings, answer?: { status: number; body: unknown }) {
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
  await user.click(screen.getByRole("button", { name: "Save backup place" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent).toEqual([{ version: 0, place: "/srv/shop/backups", endpoint: "", region: "", keyId: "" }]);
  expect(await screen.findByRole("button", { name: "Try the place" })).toBeVisible();
});

it("saves a bucket with its secret key once all fields are filled", async () => {
  const { user, sent } = openBackups(NONE);
  await user.selectOptions(await screen.findByLabelText("Backups go to"), "bucket");
  await user.click(screen.getByRole("button", { name: "Save backup place" }));
  expect(await screen.findByText("Enter the bucket.")).toBeVisible();
  await user.type(screen.getByLabelText("Bucket"), "s3://shops/mine");
  await user.type(screen.getByLabelText("Region"), "auto");
  await user.type(screen.getByLabelText("Key id"), "id");
  await user.type(screen.getByLabelText("Secret key"), "secret");
  await user.click(screen.getByRole("button", { name: "Save backup place" }));
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
  await user.click(screen.getByRole("button", { name: "Save backup place" }));
  await waitFor(() => expect(screen.getByLabelText("Folder")).toBeInvalid());
});

it("says which option names the place, and has no form then", async () => {
  openBackups({ ...NONE, setBy: "DEALS_BACKUP_DIR", place: "/backup", schedule: "Every 24 hours." });
  expect(await screen.findByText(/^Set by DEALS_BACKUP_DIR: backups go to/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Save backup place" })).toBeNull();
});

it("downloads a copy once it is made", async () => {
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  const { user } = openBackups(NONE);
  await user.click(await screen.findByRole("button", { name: "Download a copy now" }));
  expect(await screen.findByText("a.sqlite with 1 product (2 MB) is being downloaded.")).toBeVisible();
  expect(click.mock.instances[0]).toHaveAttribute("href", "/settings/backups/copy/1");
});
