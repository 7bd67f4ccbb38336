import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { LinkDuplicates } from "../../../api/types";
import { aUser, fakeServer } from "../../../test/fake-server";
import { renderApp } from "../../../test/render-app";

type LinkDuplicate = LinkDuplicates["data"][number]["products"][number];

function aDuplicate(changes: Partial<LinkDuplicate>): LinkDuplicate {
  return {
    _id: "dear",
    title: "Cable of 1 m",
    affiliateLink: "https://www.amazon.in/one/dp/B0ABCD1234?tag=p-21",
    finalPrice: 400,
    state: "live",
    ...changes,
  };
}

const GROUP: LinkDuplicates["data"][number] = {
  source: "Amazon",
  productId: "B0ABCD1234",
  keep: "cheap",
  products: [
    aDuplicate({}),
    aDuplicate({ _id: "cheap", title: "Cable, 1 m", finalPrice: 300 }),
    aDuplicate({ _id: "old", finalPrice: 200, state: "ended" }),
  ],
  total: 3,
};

async function openGroups(data: LinkDuplicates["data"]) {
  localStorage.setItem("token", "a-token");
  const sent: { path: string; body: unknown }[] = [];
  fakeServer((url, init) => {
    if (init.method === "POST") {
      sent.push({ path: url.pathname, body: JSON.parse(String(init.body)) });
      return { body: { changed: 1, undo: "u1" } };
    }
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    return url.pathname === "/product/link-duplicates"
      ? { body: { data, total: data.length } }
      : { body: {} };
  });
  const app = renderApp("/admin/products?view=same-link");
  await screen.findByRole("link", { name: "Same link", current: "page" });
  return { ...app, sent };
}

it("keeps the cheaper live deal of a group with the same link, and takes it back", async () => {
  const { user, sent } = await openGroups([GROUP]);
  const groups = within(await screen.findByRole("list", { name: "Groups" }));
  expect(groups.getByText("Amazon · 3 deals · B0ABCD1234")).toBeVisible();
  expect(groups.getByText("Stays").closest("li")).toHaveTextContent("₹300.00");
  await user.click(groups.getByRole("button", { name: "Keep the cheapest: Cable, 1 m" }));
  expect(await screen.findByText("“Cable, 1 m” stays at ₹300.00, 1 other is deleted.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: /^Undo/ }));
  await waitFor(() =>
    expect(sent).toEqual([
      { path: "/product/bulk", body: { ids: ["cheap", "dear"], action: "keepCheapest", value: "cheap" } },
      { path: "/product/undo/u1", body: {} },
    ]),
  );
});

it("offers nothing for a group with one live deal, and says when there is no group", async () => {
  const { unmount } = await openGroups([{ ...GROUP, keep: null }]);
  await screen.findByRole("list", { name: "Groups" });
  expect(screen.queryByRole("button", { name: /^Keep the cheapest/ })).toBeNull();
  unmount();
  await openGroups([]);
  expect(await screen.findByText("No two deals have the same link.")).toBeVisible();
});
