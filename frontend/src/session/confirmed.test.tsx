import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { expect, it } from "vitest";
import { request } from "../api/client";
import { defaultShop } from "../shop/shop";
import { aPage, aUser, fakeServer } from "../test/fake-server";
import { renderApp } from "../test/render-app";
import { aBackupPlace, aMailServer, NO_SUBSCRIBERS } from "../test/server-settings";

const NEEDED = {
  status: 403,
  body: { error: "Enter the code from your app to continue.", code: "code_needed", next: "totp" },
};
const SELLER = { source: "Amazon", tag: "", rules: {}, forbidden: [], products: 3 };
const PLAN = { source: "Amazon", tag: "me-21", products: 3, changed: 3, equal: 0, examples: [] };

/** Opens a screen of a server that wants a code for each change. */
function openGuarded(screenPath: string) {
  localStorage.setItem("token", "a-token");
  const sent: string[] = [];
  let confirmed = false;
  fakeServer(({ pathname, search }, init) => {
    if (pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (init.method !== "GET" && search !== "?preview=true") {
      sent.push(`${init.method} ${pathname}`);
      if (pathname === "/user/confirm") {
        confirmed = true;
        return { body: { message: "Confirmed." } };
      }
      if (!confirmed) {
        return NEEDED;
      }
    }
    switch (pathname) {
      case "/settings":
        return {
          body: {
            shop: defaultShop,
            accent: null,
            ownMark: false,
            drafts: [],
            digestHour: 9,
            sameWords: "",
            version: 1,
          },
        };
      case "/subscriber":
        return { body: NO_SUBSCRIBERS };
      case "/settings/mail":
        return { body: aMailServer({}) };
      case "/settings/backups":
        return { body: aBackupPlace({}) };
      case "/settings/sources":
        return { body: { data: [SELLER], shops: [], version: 1 } };
      case "/source/Amazon/tag":
        return { body: PLAN };
      case "/user/sessions":
        return { body: { data: [] } };
      case "/user/change-password":
        return { body: { token: "new", user: aUser({ Role: "admin" }), message: "Changed." } };
      default:
        return { body: { ...aPage([]), setup: [], message: "Done." } };
    }
  });
  return { ...renderApp(screenPath), sent };
}

async function enterCode(user: UserEvent) {
  const dialog = await screen.findByRole("dialog", { name: "Enter the code from your app" });
  await user.type(within(dialog).getByLabelText("6-digit code"), "123456");
}

async function pressed(user: UserEvent, name: string | RegExp) {
  await user.click(await screen.findByRole("button", { name }));
}

async function typed(user: UserEvent, fields: Record<string, string>) {
  for (const [label, text] of Object.entries(fields)) {
    await user.type(await screen.findByLabelText(label), text);
  }
}

it.each([
  [
    "settings",
    "/admin/settings",
    "PUT /settings",
    async (user: UserEvent) => {
      await typed(user, { Contact: "me@example.com" });
      await pressed(user, "Save name and contact");
    },
  ],
  [
    "a tag",
    "/admin/sources",
    "POST /source/Amazon/tag",
    async (user: UserEvent) => {
      await pressed(user, "Tag of Amazon: No tag");
      await typed(user, { "Your tag in links of Amazon": "me-21" });
      await pressed(user, "Show what changes");
      await pressed(user, "Change 3 links");
    },
  ],
  [
    "a new password",
    "/profile",
    "POST /user/change-password",
    async (user: UserEvent) => {
      const password = "tiger-lamp-42";
      await typed(user, { "Current password": password });
      await typed(user, { "New password": password, "New password again": password });
      await pressed(user, "Change password");
    },
  ],
  [
    "the end of the account",
    "/profile",
    "DELETE /user/me",
    async (user: UserEvent) => {
      await pressed(user, "Delete my account");
      await typed(user, { "Your password": "tiger-lamp-42" });
      await pressed(user, "Delete for good");
    },
  ],
])("asks for a code before %s, and goes on by itself", async (_, path, call, change) => {
  const { user, sent } = openGuarded(path);
  await change(user);
  await enterCode(user);
  await waitFor(() => expect(sent).toEqual([call, "POST /user/confirm", call]));
  expect(screen.queryByRole("dialog", { name: "Enter the code from your app" })).toBeNull();
});

it("asks once for calls that wait together", async () => {
  const { user, sent } = openGuarded("/profile");
  await screen.findByLabelText("Current password");
  const both = Promise.all(["/one", "/two"].map((path) => request(path, "failed", { method: "POST" })));
  await enterCode(user);
  await both;
  expect(sent.toSorted()).toEqual(["POST /one", "POST /one", "POST /two", "POST /two", "POST /user/confirm"]);
});

it("fails with the server's message when the code dialog is cancelled", async () => {
  const { user, sent } = openGuarded("/profile");
  await screen.findByLabelText("Current password");
  const refused = expect(request("/one", "failed", { method: "POST" })).rejects.toThrow(NEEDED.body.error);
  await pressed(user, "Cancel");
  await refused;
  expect(sent).toEqual(["POST /one"]);
});
