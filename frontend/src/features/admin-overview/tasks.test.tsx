import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router-dom";
import { expect, it, vi } from "vitest";
import type { Task } from "../../api/types";
import type { RowChanges } from "../../product/office/deal-row";
import { aProduct } from "../../test/fake-server";
import { Tasks } from "./tasks";

const PRODUCT = aProduct();
const { title } = PRODUCT;

/** Shows one task; its changes only note what is asked of them. */
function show(task: Partial<Task>) {
  const done = () => vi.fn(async () => undefined);
  const changes = {
    edit: done(),
    act: done(),
    setEnd: done(),
    keepCheapest: done(),
    confirmPrices: done(),
  } satisfies RowChanges;
  render(
    <MemoryRouter>
      <Tasks
        tasks={[{ kind: "price", text: "A reason", clicks: 0, product: PRODUCT, others: [], ...task }]}
        changes={changes}
      />
    </MemoryRouter>,
  );
  return { user: userEvent.setup(), changes };
}

it("names the deal, its reason and its clicks, and confirms its price by one press", async () => {
  const { user, changes } = show({ text: "Checked 6 days ago", clicks: 47 });
  expect(screen.getByText("Checked 6 days ago · 47 clicks")).toBeVisible();
  await user.click(screen.getByRole("button", { name: `Still ₹44,444.16: ${title}` }));
  expect(changes.confirmPrices).toHaveBeenCalledExactlyOnceWith([PRODUCT]);
});

it("extends a deal that ends by a week, to the end of the day in India", async () => {
  const { user, changes } = show({ kind: "ending" });
  await user.click(screen.getByRole("button", { name: /^Extend to / }));
  expect(changes.setEnd).toHaveBeenCalledWith(
    PRODUCT,
    expect.stringMatching(/T23:59:00\+05:30$/),
    expect.any(String),
  );
});

it("shows possible duplicates side by side before any is deleted", () => {
  show({ kind: "duplicate", others: ["p2", "p3"] });
  const link = screen.getByRole("link", { name: `Compare: ${title}` });
  expect(link).toHaveAttribute("href", "/admin/products?view=duplicates");
  expect(screen.queryByRole("button", { name: /^Keep/ })).toBeNull();
});

it("leads to the form of a deal whose picture failed", () => {
  show({ kind: "picture" });
  const link = screen.getByRole("link", { name: `Replace the picture of ${title}` });
  expect(link).toHaveAttribute("href", "/update-product/p1");
});

it("changes the final price in place, and ends the deal by its menu", async () => {
  const { user, changes } = show({});
  await user.click(screen.getByRole("button", { name: /^Final price of/ }));
  await user.keyboard("43999{Enter}");
  await waitFor(() => expect(changes.edit).toHaveBeenCalledWith(PRODUCT, "finalPrice", 43_999));
  await user.click(screen.getByRole("button", { name: `More of ${title}` }));
  await user.click(screen.getByRole("menuitem", { name: "End now" }));
  expect(changes.act).toHaveBeenCalledWith(PRODUCT, "end");
});
