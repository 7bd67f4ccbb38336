import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Duplicates } from "../../../api/types";
import { aProduct, aUser, fakeServer } from "../../../test/fake-server";
import { renderApp } from "../../../test/render-app";

async function openDuplicates(answer: { status?: number; body: unknown }) {
  localStorage.setItem("token", "a-token");
  const sent: { path: string; body: unknown }[] = [];
  const products = [
    aProduct({ _id: "cheap", finalPrice: 300, price: 300, clicks: 1 }),
    aProduct({ _id: "dear", finalPrice: 400, price: 500 }),
  ];
  const groups: Duplicates = {
    data: [{ total: 2, keep: "cheap", products }],
    meta: { currentPage: 1, totalPages: 1, total: 1, limit: 10 },
  };
  fakeServer((url, init) => {
    if (init.method === "POST") {
      sent.push({ path: url.pathname, body: JSON.parse(String(init.body)) });
      return answer;
    }
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname === "/report/needs") {
      return { body: { data: [{ key: "duplicate", text: "", details: "", products: 2 }] } };
    }
    return { body: groups };
  });
  const app = renderApp("/admin/products?view=duplicates");
  await app.user.click(await screen.findByRole("button", { name: "Keep the cheapest: Braided USB-C cable" }));
  return { ...app, sent };
}

it("keeps the cheaper one of a group, which is marked, and takes it back", async () => {
  const { user, sent } = await openDuplicates({ body: { changed: 1, undo: "u1" } });
  expect(await screen.findByText("2 deals in 1 group")).toBeVisible();
  const group = within(screen.getByRole("list", { name: "Groups" }));
  expect(group.getByText("Amazon · 2 deals")).toBeVisible();
  const marked = group.getByText("Stays").closest("li");
  expect(marked).toHaveTextContent("₹300.00");
  expect(marked).toHaveTextContent("1 click");
  expect(
    await screen.findByText("“Braided USB-C cable” stays at ₹300.00, 1 other is deleted."),
  ).toBeVisible();
  await user.click(screen.getByRole("button", { name: /^Undo/ }));
  await waitFor(() =>
    expect(sent).toEqual([
      {
        path: "/product/bulk",
        body: { ids: ["cheap", "dear"], action: "keepCheapest", value: "cheap" },
      },
      { path: "/product/undo/u1", body: {} },
    ]),
  );
});

it("reports a price that changed since the group was loaded", async () => {
  const error = "These products or their prices were changed meanwhile. Look at them again.";
  await openDuplicates({ status: 409, body: { error, code: "changed_meanwhile" } });
  expect(await screen.findByText(error)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: /^Undo/ })).toBeNull();
});
