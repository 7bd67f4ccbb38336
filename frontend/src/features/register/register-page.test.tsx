import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aPage, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

async function fillIn(user: ReturnType<typeof renderApp>["user"]) {
  await user.type(await screen.findByLabelText("Username"), "asha");
  await user.type(screen.getByLabelText("Email"), "asha@example.com");
  await user.type(screen.getByLabelText("Password"), "tiger-lamp-42");
}

describe("registering", () => {
  it("leads to the code, and a correct code to the login", async () => {
    const server = fakeServer((url) => ({
      // After a refusal, the login asks.
      status: { "/user/register": 201, "/user/sign-in": 401 }[url.pathname] ?? 200,
      body: { message: "No code was sent.", email: "asha@example.com", registration: "handle", ...aPage([]) },
    }));
    const { user, location } = renderApp("/register");
    await fillIn(user);
    await user.click(screen.getByRole("button", { name: "Register" }));
    expect(await screen.findByText("Enter the 6-digit code sent to your phone")).toBeVisible();
    expect(screen.getByText("asha@example.com")).toBeVisible();
    expect(await screen.findByText("No code was sent.")).toBeVisible();
    const code = screen.getByRole("textbox", { name: "Enter the 6-digit code sent to your phone" });
    expect(code).toHaveFocus();
    await user.paste("    123 456\n");
    expect(await screen.findByRole("heading", { name: "Login" })).toBeVisible();
    expect(location().pathname).toBe("/login");
    const sent = server.requests.find(({ url }) => url.pathname === "/user/verify-code");
    expect(JSON.parse(String(sent?.init.body))).toEqual({
      email: "asha@example.com",
      code: "123456",
      registration: "handle",
    });
    expect(sent?.init.credentials).toBe("omit");
  });

  it("shows the server's message beside its field", async () => {
    fakeServer(() => ({
      status: 400,
      body: { error: "This password is too easy.", fields: { password: "This password is too easy." } },
    }));
    const { user } = renderApp("/register");
    await fillIn(user);
    await user.click(screen.getByRole("button", { name: "Register" }));
    expect(await screen.findByText("Registration Failed")).toBeVisible();
    expect(screen.getByText("Something went wrong.")).toBeVisible();
    expect(screen.getByLabelText("Password")).toHaveAccessibleDescription(/This password is too easy\./);
    expect(screen.getByLabelText("Username")).toHaveValue("asha");
  });
});

describe("a shop without a mail server", () => {
  it("closes registration where nobody else can read the log", async () => {
    fakeServer(() => ({ status: 401, body: {} }));
    renderApp("/register", { noMail: "closed" });
    expect(await screen.findByText("Registration is closed for now.")).toBeVisible();
    expect(screen.queryByLabelText("Email")).not.toBeInTheDocument();
    expect(screen.getAllByRole("link", { name: "Login" }).length).toBeGreaterThan(0);
  });

  it("says where the code is on its own machine, before and after the form", async () => {
    fakeServer(() => ({ status: 201, body: { message: "", registration: "handle", ...aPage([]) } }));
    const { user } = renderApp("/register", { noMail: "log" });
    expect(await screen.findByText(/your code is printed in the server's log/)).toBeVisible();
    await fillIn(user);
    await user.click(screen.getByRole("button", { name: "Register" }));
    expect(await screen.findByText("Enter the 6-digit code sent to your phone")).toBeVisible();
    expect(screen.getByText(/your code is printed in the server's log/)).toBeVisible();
    expect(screen.queryByText(/We mailed a code to/)).not.toBeInTheDocument();
  });
});

describe("the code", () => {
  it("can be typed again after a wrong one", async () => {
    fakeServer(() => ({ status: 400, body: { error: "please enter correct otp" } }));
    const { user } = renderApp("/verify-otp/asha%40example.com");
    const field = await screen.findByRole("textbox");
    await user.type(field, "12a3456");
    expect(await screen.findByText("please enter correct otp")).toBeVisible();
    expect(field).toHaveValue("");
    expect(screen.getByRole("button", { name: "Verify" })).toBeEnabled();
  });

  it("that could not be checked says to try again", async () => {
    fakeServer(() => "network down");
    const { user } = renderApp("/verify-otp/asha%40example.com");
    await user.type(await screen.findByRole("textbox"), "123456");
    expect(await screen.findByText("Failed to verify OTP. Please try again.")).toBeVisible();
  });

  it("can be sent again after a pause", async () => {
    fakeServer(() => ({ body: { message: "" } }));
    renderApp("/verify-otp/asha%40example.com");
    expect(await screen.findByRole("button", { name: /^Resend code in \d+ s$/ })).toBeDisabled();
  });
});
