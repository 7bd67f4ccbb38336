import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import type { MailSettings } from "../../../api/types";
import { defaultShop } from "../../../shop/shop";
import { aUser, fakeServer } from "../../../test/fake-server";
import { renderApp } from "../../../test/render-app";
import { aBackupPlace, aMailServer, NO_SUBSCRIBERS } from "../../../test/server-settings";

const NONE = aMailServer({});

const CHOSEN = aMailServer({
  host: "smtp.example.com",
  port: 465,
  user: "shop",
  sender: "shop@example.com",
  passwordAt: "2026-11-03T10:00:00.000Z",
  server: "smtp.example.com:465",
  version: 1,
});

function openMail(mail: MailSettings, answer: { status?: number; body: unknown } = { body: CHOSEN }) {
  localStorage.setItem("token", "a-token");
  const sent: Record<string, unknown>[] = [];
  fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname === "/settings/mail") {
      if (init.method === "PUT") {
        sent.push(JSON.parse(String(init.body)));
        return answer;
      }
      return { body: mail };
    }
    if (url.pathname === "/settings") {
      return {
        body: { shop: defaultShop, accent: null, ownMark: false, drafts: [], digestHour: 9, version: 1 },
      };
    }
    if (url.pathname === "/subscriber") {
      return { body: NO_SUBSCRIBERS };
    }
    if (url.pathname === "/settings/backups") {
      return { body: aBackupPlace({}) };
    }
    return { body: { setup: [], data: [] } };
  });
  return { ...renderApp("/admin/settings#mail"), sent };
}

it("saves a mail server, and shows when its password was set in place of it", async () => {
  const { user, sent } = openMail(NONE);
  fireEvent.change(await screen.findByLabelText("Mail server"), { target: { value: "smtp.example.com" } });
  await user.selectOptions(screen.getByLabelText("Encryption"), "starttls");
  expect(screen.getByLabelText("Port")).toHaveValue("587");
  await user.selectOptions(screen.getByLabelText("Encryption"), "tls");
  await user.type(screen.getByLabelText("User name"), "shop");
  await user.type(screen.getByLabelText("Password of the mail server"), "hunter2");
  await user.click(screen.getByRole("button", { name: "Save mail server" }));
  expect(await screen.findByText("Enter the address that mails come from.")).toBeVisible();
  fireEvent.change(screen.getByLabelText("Sender"), { target: { value: "shop@example.com" } });
  await user.click(screen.getByRole("button", { name: "Save mail server" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  const { host, security, user: name, sender } = CHOSEN;
  expect(sent).toEqual([{ version: 0, host, port: 465, security, user: name, sender, password: "hunter2" }]);
  expect(await screen.findByText(/^Set on 3 Nov.*; leave it empty to keep it$/)).toBeVisible();
  expect(screen.getByLabelText("Password of the mail server")).toHaveValue("");
});

it("leaves the password out to keep it", async () => {
  const { user, sent } = openMail(CHOSEN);
  await user.type(await screen.findByLabelText("Sender"), ".in");
  await user.click(screen.getByRole("button", { name: "Save mail server" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).not.toHaveProperty("password");
  expect(sent[0]).toMatchObject({ version: 1, sender: "shop@example.com.in" });
});

it("keeps the server's refusal at the field, which gets the focus, and in the form", async () => {
  const said = "Enter it again: the one that is set is for another server or name.";
  const { user } = openMail(CHOSEN, { status: 400, body: { error: said, fields: { password: said } } });
  await user.type(await screen.findByLabelText("User name"), "2");
  await user.click(screen.getByRole("button", { name: "Save mail server" }));
  await waitFor(() => expect(screen.getAllByText(said)).toHaveLength(2));
  const password = screen.getByLabelText("Password of the mail server");
  await waitFor(() => expect(password).toHaveFocus());
  // Validates after everything that leaving the other field started.
  await act(async () => {});
  expect(password).toBeInvalid();
});

it("says which variable names the server, and has no form then", async () => {
  openMail({ ...NONE, setBy: "DEALS_SMTP_URL", server: "mail.example.com:465", sender: "a@example.com" });
  expect(await screen.findByText(/^Set by DEALS_SMTP_URL: mails go to/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Save mail server" })).toBeNull();
  expect(screen.getByRole("button", { name: "Send a test mail to me" })).toBeVisible();
});

it("says why no mail can be sent", async () => {
  openMail({ ...CHOSEN, problem: "the password was stored with another key" });
  const said = "No mail can be sent: the password was stored with another key.";
  expect(await screen.findByText(said)).toBeVisible();
});

it("asks for the mail server's name before it saves anything", async () => {
  const { user, sent } = openMail(NONE);
  await user.click(await screen.findByRole("button", { name: "Save mail server" }));
  expect(await screen.findByText("Name the mail server, like smtp.example.com.")).toBeVisible();
  expect(sent).toEqual([]);
});

it("fills in the server of a known provider, and says that Gmail needs an app password", async () => {
  const { user, sent } = openMail(NONE);
  const provider = await screen.findByLabelText("Mail provider");
  await user.selectOptions(provider, "Brevo");
  expect(screen.getByLabelText("Mail server")).toHaveValue("smtp-relay.brevo.com");
  expect(screen.getByLabelText("Port")).toHaveValue("587");
  expect(screen.getByLabelText("Encryption")).toHaveValue("starttls");
  await user.selectOptions(provider, "SendGrid");
  expect(screen.getByLabelText("User name")).toHaveValue("apikey");
  await user.selectOptions(provider, "Gmail or Google Workspace");
  expect(provider).toHaveAccessibleDescription(/app password/);
  await user.type(screen.getByLabelText("User name"), "shop@gmail.com");
  await user.type(screen.getByLabelText("Sender"), "shop@gmail.com");
  await user.click(screen.getByRole("button", { name: "Save mail server" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    host: "smtp.gmail.com",
    port: 465,
    security: "tls",
    user: "shop@gmail.com",
  });
});
