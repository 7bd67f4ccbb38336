import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Channel, PostPreview } from "../../../api/types";
import { aUser, fakeServer } from "../../../test/fake-server";
import { renderApp } from "../../../test/render-app";

const CHANNEL: Channel = {
  id: "c1",
  kind: "telegram",
  name: "Loot deals",
  chat: "@loot",
  template: "",
  rule: {
    on: true,
    query: "category=Books&minDiscount=30",
    provenOnly: true,
    perHour: 4,
    quietFrom: 23,
    quietTo: 7,
    againAfterDays: 14,
  },
  on: true,
  offReason: "",
  secretSetAt: "2036-11-03T10:00:00.000Z",
  lastPostedAt: "2036-11-20T10:00:00.000Z",
  lastError: "Telegram answered with 500.",
  lastErrorAt: "2036-11-21T10:00:00.000Z",
  waiting: 2,
  createdAt: "2036-11-01T10:00:00.000Z",
};
const USUAL = "<b>{title}</b>\n{price} {link}";
const PREVIEW: PostPreview = {
  text: "<b>Lamp &lt;new&gt;</b>\n₹399 <i>https://deals.example</i>",
  length: 41,
  most: 1024,
  warnings: ["The template has no {link}."],
};

function openChannels(channels: Channel[], testStatus = 200) {
  localStorage.setItem("token", "a-token");
  const sent: { method: string; path: string; body: unknown }[] = [];
  fakeServer((url, init) => {
    const { pathname } = url;
    if (pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    const body = init.body === undefined ? undefined : JSON.parse(String(init.body));
    if (pathname === "/channel/preview") {
      return { body: PREVIEW };
    }
    if (pathname.startsWith("/channel") && init.method !== undefined && init.method !== "GET") {
      sent.push({ method: String(init.method), path: pathname, body });
      if (pathname.endsWith("/test")) {
        const words =
          testStatus === 200 ? { message: "It arrived." } : { error: "The bot may not write there." };
        return { status: testStatus, body: words };
      }
      return { body: { channel: CHANNEL } };
    }
    return { body: pathname === "/channel" ? { data: channels, usualTemplate: USUAL } : { data: [] } };
  });
  return { ...renderApp("/admin/channels"), sent };
}

it("adds a channel with a template, whose newest deal is shown as it would be posted", async () => {
  const { user, sent } = openChannels([]);
  const form = within(await screen.findByRole("region", { name: "New channel" }));
  await user.type(await form.findByLabelText("Name"), "Loot deals");
  await user.type(form.getByLabelText("Bot token"), "123:abc");
  await user.type(form.getByLabelText("Channel or group"), "@loot");
  const preview = within(await form.findByRole("region", { name: "Preview" }));
  expect((await preview.findByText("Lamp <new>")).tagName).toBe("B");
  expect(preview.getByText(/^41 of 1,024 characters$/)).toBeVisible();
  expect(preview.getByText("The template has no {link}.")).toBeVisible();
  const template = form.getByLabelText<HTMLTextAreaElement>("Template");
  template.setSelectionRange(0, 0);
  await user.click(form.getByRole("button", { name: "Saving" }));
  await user.click(form.getByRole("button", { name: "Add channel" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  const rule = {
    ...{ on: false, query: "", provenOnly: false, perHour: 4 },
    ...{ quietFrom: 23, quietTo: 7, againAfterDays: 14 },
  };
  expect(sent[0]?.body).toEqual({
    ...{ kind: "telegram", name: "Loot deals", token: "123:abc", chat: "@loot" },
    ...{ template: `{saving}${USUAL}`, rule },
  });
});

it("marks all that is missing at once, and leads to what Telegram needs", async () => {
  const { user, sent } = openChannels([]);
  const form = within(await screen.findByRole("region", { name: "New channel" }));
  await user.click(await form.findByRole("button", { name: "Add channel" }));
  expect(await form.findByText("Give the channel a name.")).toBeVisible();
  for (const label of ["Name", "Bot token", "Channel or group"]) {
    expect(form.getByLabelText(label)).toBeInvalid();
  }
  expect(sent).toEqual([]);
  await user.click(form.getByText("Telegram in five steps"));
  expect(form.getByRole("link", { name: "@BotFather" })).toHaveAttribute("href", "https://t.me/BotFather");
  await user.selectOptions(form.getByLabelText("Kind"), "Test (not sent)");
  expect(form.queryByText("Telegram in five steps")).toBeNull();
});

it("says how a channel does, and changes its rule without its token", async () => {
  const { user, sent } = openChannels([CHANNEL]);
  const row = within(await screen.findByRole("listitem", { name: "Loot deals" }));
  expect(row.getByText("Telegram · @loot · token set on 3 Nov 2036 15:30")).toBeVisible();
  const state = /^On · by rule, at most 4 an hour · 2 posts wait · last post 20 Nov 2036, 15:30$/;
  expect(row.getByText(state)).toBeVisible();
  expect(row.getByText(/^Last error: .* Telegram answered with 500\.$/)).toBeVisible();
  await user.click(row.getByRole("button", { name: "Change" }));
  const most = await row.findByLabelText("Maximum posts an hour");
  await user.clear(most);
  await user.type(most, "2");
  await user.selectOptions(row.getByLabelText("Quiet from (India)"), "No quiet hours");
  await user.click(row.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    method: "PUT",
    path: "/channel/c1",
    body: {
      ...{ name: "Loot deals", template: "", chat: "@loot" },
      rule: {
        ...{ on: true, query: "category=Books&minDiscount=30", provenOnly: true },
        ...{ perHour: 2, quietFrom: null, quietTo: null, againAfterDays: 14 },
      },
    },
  });
});

it.each([
  [200, "It arrived."],
  [409, "The bot may not write there."],
])("says what happened to a test: %s", async (status, words) => {
  const { user } = openChannels([CHANNEL], status);
  await user.click(await screen.findByRole("button", { name: "Send test" }));
  expect(await screen.findByText(words)).toBeVisible();
});

it("says why the server switched one off, which a change switches on", async () => {
  const { user, sent } = openChannels([{ ...CHANNEL, on: false, offReason: "There is no such chat." }]);
  expect(await screen.findByText("Switched off: There is no such chat.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Change" }));
  const row = within(screen.getByRole("listitem", { name: "Loot deals" }));
  await user.click(await row.findByRole("button", { name: "Save and switch on" }));
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ chat: "@loot", on: true }));
});

it("is deleted after a question", async () => {
  const { user, sent } = openChannels([CHANNEL]);
  await screen.findByRole("listitem", { name: "Loot deals" });
  await user.click(screen.getByRole("button", { name: "Delete" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Delete" }));
  await waitFor(() =>
    expect(sent.map(({ method, path }) => [method, path])).toEqual([["DELETE", "/channel/c1"]]),
  );
});
