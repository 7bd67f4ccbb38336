import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Enrolment, Factor } from "../../../api/types";
import { aPage, aUser, fakeServer } from "../../../test/fake-server";
import { renderApp } from "../../../test/render-app";

const CODES = Array.from({ length: 10 }, (_, n) => `AAAA-BBBB-C${n}`);
const ENROLMENT: Enrolment = {
  secret: "GEZDGNBVGY3TQOJQ",
  address: "otpauth://totp/Deals:asha",
  qr: { size: 21, path: "M0 0h7v1h-7z" },
};
const OFF: Factor = { enabled: false, required: false, since: null, recoveryCodes: 0 };
const ON: Factor = {
  enabled: true,
  required: false,
  since: "2026-11-25T10:00:00.000Z",
  recoveryCodes: 8,
};

function openProfile(factor: Factor, answers: Record<string, () => { status?: number; body: unknown }>) {
  localStorage.setItem("token", "a-token");
  const sent: { path: string; body: unknown }[] = [];
  const state = { factor };
  fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname === "/user/totp") {
      return { body: state.factor };
    }
    const answer = answers[url.pathname];
    if (answer) {
      const body = init.body === undefined ? undefined : JSON.parse(String(init.body));
      sent.push({ path: url.pathname, body });
      return answer();
    }
    return { body: aPage([]) };
  });
  return { ...renderApp("/profile"), sent, state };
}

it("sets a second factor up with a password, an app and its first code, and shows the codes once", async () => {
  let password = false;
  const { user, sent, state } = openProfile(OFF, {
    "/user/totp/begin": () =>
      password
        ? { status: 201, body: ENROLMENT }
        : { status: 401, body: { error: "Invalid credentials", code: "wrong_credentials" } },
    "/user/totp/enable": () => ({ body: { recoveryCodes: CODES } }),
  });
  await user.click(await screen.findByRole("button", { name: "Set up" }));
  expect(screen.getByLabelText("Your password")).toHaveFocus();
  await user.type(screen.getByLabelText("Your password"), "tiger-lamp-42");
  await user.click(screen.getByRole("button", { name: "Continue" }));
  expect(await screen.findByText("This is not your password.")).toBeVisible();
  password = true;
  await user.click(screen.getByRole("button", { name: "Continue" }));
  expect(await screen.findByRole("img", { name: "QR code for the app" })).toBeVisible();
  expect(screen.getByText("GEZD GNBV GY3T QOJQ")).toBeVisible();
  expect(screen.getByRole("link", { name: "open it in the app" })).toHaveAttribute("href", ENROLMENT.address);
  expect(screen.queryByRole("button", { name: "Use a recovery code" })).toBeNull();
  state.factor = { ...ON, recoveryCodes: 10 };
  await user.type(screen.getByLabelText("6-digit code"), "123456");
  expect(await screen.findByText("AAAA-BBBB-C9")).toBeVisible();
  expect(screen.getByRole("heading", { name: "Keep these recovery codes" })).toHaveFocus();
  const download = screen.getByRole("link", { name: "Download" });
  expect(decodeURIComponent(String(download.getAttribute("href")))).toContain("AAAA-BBBB-C0\nAAAA-BBBB-C1");
  await user.click(screen.getByRole("button", { name: "I have kept them" }));
  expect(screen.queryByText("AAAA-BBBB-C9")).toBeNull();
  expect(await screen.findByText(/10 recovery codes are left/)).toBeVisible();
  expect(sent.map(({ path }) => path)).toEqual(["/user/totp/begin", "/user/totp/begin", "/user/totp/enable"]);
});

it("asks for a code before it is switched off, and does it then", async () => {
  let confirmed = false;
  const { user, sent, state } = openProfile(ON, {
    "/user/totp/disable": () =>
      confirmed
        ? { body: { message: "Your second factor is off." } }
        : { status: 403, body: { error: "Enter the code from your app to continue.", code: "code_needed" } },
    "/user/confirm": () => {
      confirmed = true;
      state.factor = OFF;
      return { body: { message: "Confirmed." } };
    },
  });
  expect(await screen.findByText(/On since 25 November 2026. 8 recovery codes are left./)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Switch off" }));
  const question = screen.getByRole("dialog", { name: "Switch the second factor off?" });
  await user.click(within(question).getByRole("button", { name: "Switch off" }));
  const dialog = await screen.findByRole("dialog", { name: "Enter the code from your app" });
  await user.type(within(dialog).getByLabelText("6-digit code"), "123456");
  expect(await screen.findByText("Your second factor is off.")).toBeVisible();
  expect(await screen.findByRole("button", { name: "Set up" })).toBeVisible();
  expect(screen.queryByRole("dialog")).toBeNull();
  const disable = { path: "/user/totp/disable", body: undefined };
  expect(sent).toEqual([disable, { path: "/user/confirm", body: { code: "123456" } }, disable]);
});

it("changes nothing when the question for a code is cancelled", async () => {
  const { user, sent } = openProfile(ON, {
    "/user/totp/recovery-codes": () => ({
      status: 403,
      body: { error: "Enter the code from your app to continue.", code: "code_needed" },
    }),
  });
  await user.click(await screen.findByRole("button", { name: "New recovery codes" }));
  await user.click(screen.getByRole("button", { name: "Make new codes" }));
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  expect(await screen.findByText("Enter the code from your app to continue.")).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent).toHaveLength(1);
});

it("is where the office leads an administrator who lacks a required one", async () => {
  localStorage.setItem("token", "a-token");
  fakeServer((url) => {
    if (url.pathname.startsWith("/user/me")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname === "/user/totp") {
      return { body: { ...OFF, required: true } };
    }
    return { status: 403, body: { error: "Set one up.", code: "second_factor_missing", next: "enrol" } };
  });
  const { location } = renderApp("/admin");
  expect(await screen.findByText(/requires a second factor of its administrators/)).toBeVisible();
  expect(location().pathname).toBe("/profile");
  expect(screen.getByRole("button", { name: "Set up" })).toBeVisible();
});
