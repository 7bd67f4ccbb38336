import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { People, Person } from "../../api/types";
import { aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const ASHA: Person = {
  _id: "p1",
  username: "Asha",
  email: "asha@example.com",
  Role: "editor",
  createdAt: "2026-11-01T10:00:00.000Z",
  lastSeenAt: "2026-11-02T10:00:00.000Z",
  sessions: 2,
  invitedUntil: null,
  delayed: true,
};

function openPeople(role: "admin" | "editor", people: Person[]) {
  localStorage.setItem("token", "a-token");
  const sent: { method: string; path: string; body: unknown }[] = [];
  fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: role }) } };
    }
    if (url.pathname.startsWith("/people") && init.method !== undefined && init.method !== "GET") {
      const body = init.body === undefined ? undefined : JSON.parse(String(init.body));
      sent.push({ method: init.method, path: url.pathname, body });
      return { body: { link: "https://shop.example/invite#secret", mailed: false, message: "" } };
    }
    const meta = { currentPage: 1, totalPages: 1, total: people.length, limit: 50 };
    return { body: { data: people, meta } satisfies People };
  });
  return { ...renderApp("/admin/people"), sent };
}

it("invites an editor and shows the link to copy", async () => {
  const { user, sent } = openPeople("admin", []);
  await user.click(await screen.findByRole("button", { name: "Invite" }));
  expect(await screen.findByText("Please enter a valid email address.")).toBeVisible();
  await user.type(screen.getByLabelText("Email"), "asha@example.com");
  await user.click(screen.getByRole("button", { name: "Invite" }));
  expect(await screen.findByText("https://shop.example/invite#secret")).toBeVisible();
  expect(sent).toEqual([
    { method: "POST", path: "/people/invite", body: { email: "asha@example.com", role: "editor" } },
  ]);
  // The empty form has the focus: an error on leaving it would move what is clicked.
  await user.click(screen.getByLabelText("Email"));
  await user.tab();
  await user.click(screen.getByRole("button", { name: "Done" }));
  expect(screen.queryByText("https://shop.example/invite#secret")).toBeNull();
  expect(screen.queryByText("Please enter a valid email address.")).toBeNull();
});

it("changes the role, ends sessions and unlocks by the menu", async () => {
  const { user, sent } = openPeople("admin", [ASHA]);
  for (const item of ["Make user", "Logout everywhere", "Unlock"]) {
    await user.click(await screen.findByRole("button", { name: "More of Asha" }));
    await user.click(screen.getByRole("menuitem", { name: item }));
  }
  const bodies = [{ role: "user" }, { signOut: true }, { unlock: true }];
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual(bodies));
});

it("makes an administrator after a question only", async () => {
  const { user, sent } = openPeople("admin", [ASHA]);
  await user.click(await screen.findByRole("button", { name: "More of Asha" }));
  await user.click(screen.getByRole("menuitem", { name: "Make administrator" }));
  const dialog = screen.getByRole("dialog", { name: "Make Asha an administrator?" });
  expect(sent).toEqual([]);
  await user.click(within(dialog).getByRole("button", { name: "Make administrator" }));
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ role: "admin" }]));
});

it("leaves one's own account to the profile", async () => {
  openPeople("admin", [{ ...ASHA, _id: aUser()._id, Role: "admin" }]);
  expect(await screen.findByRole("link", { name: "Your profile" })).toHaveAttribute("href", "/profile");
  expect(screen.queryByRole("button", { name: "More of Asha" })).toBeNull();
});

it("withdraws an invitation after a question", async () => {
  const invited = {
    ...ASHA,
    username: "",
    invitedUntil: "2099-11-01T10:00:00.000Z",
    lastSeenAt: null,
    sessions: 0,
  };
  const { user, sent } = openPeople("admin", [{ ...invited, delayed: false }]);
  await user.click(await screen.findByRole("button", { name: "More of asha@example.com" }));
  await user.click(screen.getByRole("menuitem", { name: "Withdraw the invitation" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Withdraw" }));
  await waitFor(() => expect(sent).toEqual([{ method: "DELETE", path: "/people/p1", body: undefined }]));
});

it("removes somebody after a question that names them", async () => {
  const { user, sent } = openPeople("admin", [ASHA]);
  await user.click(await screen.findByRole("button", { name: "More of Asha" }));
  await user.click(screen.getByRole("menuitem", { name: "Delete" }));
  const dialog = screen.getByRole("dialog", { name: "Delete Asha?" });
  expect(sent).toEqual([]);
  await user.click(within(dialog).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(sent).toEqual([{ method: "DELETE", path: "/people/p1", body: undefined }]));
});

it("is for administrators", async () => {
  openPeople("editor", []);
  expect(await screen.findByText("Only an administrator may do this.")).toBeVisible();
});
