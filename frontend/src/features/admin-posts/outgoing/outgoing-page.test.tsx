import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { ChannelPost, ChannelPosts, Job } from "../../../api/types";
import { aUser, fakeServer } from "../../../test/fake-server";
import { renderApp } from "../../../test/render-app";

const JOB: Job = {
  id: 7,
  kind: "webhook",
  what: "product.added: Lamp",
  to: "example.com",
  createdAt: "2026-11-01T10:00:00.000Z",
  nextAt: null,
  expiresAt: "2026-11-08T10:00:00.000Z",
  attempts: 8,
  lastError: "It answered with status 500.",
};

const POST: ChannelPost = {
  id: "p1",
  title: "Lamp",
  state: "sent",
  byRule: true,
  queuedAt: "2026-11-01T10:00:00.000Z",
  sentAt: "2026-11-01T10:01:00.000Z",
  error: "",
  text: "Lamp ₹200",
};

function openOutgoing(jobs: Job[]) {
  localStorage.setItem("token", "a-token");
  const sent: string[] = [];
  fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname.startsWith("/outgoing")) {
      sent.push(`${init.method ?? "GET"} ${url.pathname}${url.search}`);
    }
    if (url.pathname === "/channel") {
      return { body: { data: [{ id: "c1", name: "Loot deals" }], usualTemplate: "" } };
    }
    if (url.pathname === "/channel/c1/posts") {
      return { body: { data: [POST] } satisfies ChannelPosts };
    }
    return { body: { data: jobs, meta: { currentPage: 1, totalPages: 1, total: jobs.length, limit: 50 } } };
  });
  return { ...renderApp("/admin/outgoing"), sent };
}

it("says why something was given up, tries it again and drops it after a question", async () => {
  const { user, sent } = openOutgoing([JOB]);
  const row = within(await screen.findByRole("listitem", { name: "product.added: Lamp to example.com" }));
  expect(row.getByText("It answered with status 500.")).toBeVisible();
  expect(row.getByText(/^Failed 8 times\. Given up\. It is kept until ./)).toBeVisible();
  await user.click(row.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(sent).toContain("POST /outgoing/7/retry"));
  await user.click(row.getByRole("button", { name: "Drop" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Drop" }));
  await waitFor(() => expect(sent).toContain("DELETE /outgoing/7"));
});

it("shows only what failed, and nothing to try again where nothing failed", async () => {
  const { user, sent } = openOutgoing([{ ...JOB, attempts: 0, nextAt: JOB.createdAt, lastError: "" }]);
  expect(await screen.findByText(/^Next attempt: ./)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Failed" }));
  await waitFor(() => expect(sent).toContain("GET /outgoing?failed=true&page=1"));
});

it("lists the last posts of each channel, and leads to what is planned and to the channels", async () => {
  openOutgoing([]);
  const posts = within(await screen.findByRole("list", { name: "Posts in Loot deals" }));
  expect(posts.getByRole("link", { name: "Lamp" })).toHaveAttribute("href", "/details/p1");
  expect(posts.getByText(/^Posted · 1 Nov .* · by rule$/)).toBeVisible();
  const tabs = within(screen.getByRole("navigation", { name: "Posts" }));
  expect(tabs.getAllByRole("link").map((tab) => tab.getAttribute("href"))).toEqual([
    "/admin/queue",
    "/admin/outgoing",
    "/admin/channels",
  ]);
  expect(tabs.getByRole("link", { name: "Sent" })).toHaveAttribute("aria-current", "page");
});
