import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { aPage, aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const ASKED = {
  status: 401,
  body: { error: "Enter the code from your app.", code: "code_needed", next: "totp", pending: "p1" },
};

/** Signs in up to the code; `code` answers what is sent then. */
async function enterPassword(code: () => { status?: number; body: unknown }) {
  const sent: unknown[] = [];
  fakeServer((url, init) => {
    if (url.pathname === "/user/sign-in") {
      return ASKED;
    }
    if (url.pathname === "/user/sign-in-code") {
      sent.push(JSON.parse(String(init.body)));
      return code();
    }
    return url.pathname === "/user/me/new" ? { body: { user: aUser() } } : { body: aPage([]) };
  });
  const app = renderApp("/login");
  await app.user.type(await screen.findByLabelText("Email"), "asha@example.com");
  await app.user.type(screen.getByLabelText("Password"), "tiger-lamp-42{Enter}");
  await screen.findByText("Enter the code from your app.");
  return { ...app, sent };
}

it("signs in with the code of the app and remembers the device", async () => {
  const { user, sent } = await enterPassword(() => ({ body: { token: "new", user: aUser() } }));
  expect(screen.getByLabelText("6-digit code")).toHaveFocus();
  expect(screen.queryByRole("link", { name: "Register" })).toBeNull();
  expect(screen.queryByText("Login Failed")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Verify" }));
  expect(screen.getByText("Please enter the 6-digit code.")).toBeVisible();
  await user.click(screen.getByLabelText("Remember this device for 30 days"));
  await user.type(screen.getByLabelText("6-digit code"), "123456{Enter}");
  expect(await screen.findByRole("link", { name: "asha" })).toBeVisible();
  expect(sent).toEqual([{ pending: "p1", code: "123456", remember: true }]);
  expect(localStorage.getItem("token")).toBe("new");
});

it("says that a code is wrong, and takes a recovery code", async () => {
  let answer: { status?: number; body: unknown } = {
    status: 401,
    body: { error: "This code is not right.", code: "wrong_code" },
  };
  const { user, sent } = await enterPassword(() => answer);
  await user.type(screen.getByLabelText("6-digit code"), "111111{Enter}");
  expect(await screen.findByText("This code is not right.")).toBeVisible();
  expect(screen.getByLabelText("6-digit code")).toHaveValue("");
  answer = { body: { token: "new", user: aUser() } };
  await user.click(screen.getByRole("button", { name: "Use a recovery code" }));
  expect(screen.getByLabelText("Recovery code")).toHaveFocus();
  await user.type(screen.getByLabelText("Recovery code"), "0123-4567-89{Enter}");
  await waitFor(() => expect(localStorage.getItem("token")).toBe("new"));
  expect(sent.at(-1)).toEqual({ pending: "p1", code: "0123-4567-89", remember: false });
});

it("returns to the password when the sign-in has ended", async () => {
  const { user } = await enterPassword(() => ({
    status: 401,
    body: { error: "This sign-in has ended.", code: "sign_in_ended", next: "password" },
  }));
  await user.type(screen.getByLabelText("6-digit code"), "111111{Enter}");
  expect(await screen.findByText("This sign-in has ended.")).toBeVisible();
  expect(screen.getByLabelText("Email")).toHaveValue("asha@example.com");
  expect(screen.getByLabelText("Password")).toHaveValue("");
  expect(screen.getByRole("link", { name: "Register" })).toBeVisible();
});
