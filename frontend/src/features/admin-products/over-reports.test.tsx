import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Needing } from "../../api/types";
import { aProduct, aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

async function openReported() {
  localStorage.setItem("token", "a-token");
  const sent: { path: string; body: unknown }[] = [];
  const deals = [
    aProduct({ _id: "p1", title: "Lamp", finalPrice: 300 }),
    aProduct({ _id: "p2", title: "Kettle", finalPrice: 400 }),
  ];
  const answered = new Set<string>();
  fakeServer((url, init) => {
    if (init.method === "POST") {
      sent.push({ path: url.pathname, body: JSON.parse(String(init.body)) });
      answered.add(url.pathname === "/product/bulk" ? "p1" : "p2");
      return { body: { changed: 1, undo: "u1" } };
    }
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    const data = deals.filter(({ _id }) => !answered.has(_id));
    const meta = { currentPage: 1, totalPages: 1, total: data.length, limit: 50 };
    return { body: { data, meta, overReports: { p1: 3, p2: 1 } } satisfies Needing };
  });
  const app = renderApp("/admin/products?view=over");
  const list = await screen.findByRole("list", { name: "Reported deals" });
  return { ...app, sent, list };
}

it("shows the reports of each deal and the seller's page", async () => {
  const { list } = await openReported();
  const [lamp, kettle] = within(list).getAllByRole("listitem");
  expect(lamp).toHaveTextContent("3 reports");
  expect(kettle).toHaveTextContent("1 report");
  expect(within(list).getAllByRole("link", { name: "See it at Amazon" })[0]).toHaveAttribute(
    "href",
    aProduct().affiliateLink,
  );
});

it("ends a deal, or takes it as still on, by one press", async () => {
  const { user, sent } = await openReported();
  await user.click(screen.getByRole("button", { name: "End it: Lamp" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "End it: Lamp" })).toBeNull());
  await user.click(screen.getByRole("button", { name: "Still on: Kettle" }));
  expect(await screen.findByText("No visitor reports a deal as over.")).toBeVisible();
  expect(sent).toEqual([
    { path: "/product/bulk", body: { ids: ["p1"], action: "end" } },
    { path: "/product/confirm-price/p2", body: { finalPrice: 400 } },
  ]);
});
