import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { BulkOutcome, DealMessage, Product, StateCounts } from "../../api/types";
import { aPage, aProduct, aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

/** Opens the office's products, and keeps what is sent to change them. */
async function openProducts(products: Product[], path = "/admin/products", total = products.length) {
  localStorage.setItem("token", "a-token");
  const sent: { path: string; body: Record<string, unknown> }[] = [];
  let outcome: BulkOutcome | undefined;
  const { requests } = fakeServer((url, init) => {
    if (init.method === "POST" || init.method === "PUT") {
      const body = JSON.parse(String(init.body));
      sent.push({ path: url.pathname, body });
      return url.pathname.startsWith("/product/update-product/")
        ? { body: { product: { ...products[0], ...body, discount: 70 } } }
        : { body: outcome ?? ({ changed: body.ids?.length ?? total, undo: "u1" } satisfies BulkOutcome) };
    }
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname === "/product/states") {
      return { body: { live: 1, scheduled: 0, drafts: 0, ended: 0 } satisfies StateCounts };
    }
    if (url.pathname === "/product/message") {
      return { body: { text: "*Braided USB-C cable*\n₹1,080", leftOut: ["Old lamp"] } satisfies DealMessage };
    }
    return { body: url.pathname === "/report/trends" ? {} : aPage(products, { total }) };
  });
  const app = renderApp(path);
  await screen.findByRole("region", { name: "Products" });
  const answer = (next: BulkOutcome) => {
    outcome = next;
  };
  const asked = (path: string) => requests.findLast(({ url }) => url.pathname === path)?.url.searchParams;
  return { ...app, sent, answer, asked };
}

/** Presses “Delete” in the menu of the bar. */
async function pressDelete(user: Awaited<ReturnType<typeof openProducts>>["user"]) {
  await user.click(screen.getByRole("button", { name: "More for the selected deals" }));
  await user.click(screen.getByRole("menuitem", { name: "Delete" }));
}

it("takes a changed final price back with the price and the discount that it had", async () => {
  const { user, sent } = await openProducts([
    aProduct({ price: 109900, discount: 22.66, finalPrice: 84999 }),
  ]);
  await user.click(await screen.findByRole("button", { name: /^Final price of .*: ₹84,999\.00\. Change$/ }));
  const field = screen.getByRole("textbox", { name: /^Final price of/ });
  await user.clear(field);
  await user.type(field, "79,999{Enter}");
  expect(
    await screen.findByText("Final price of “Braided USB-C cable”: ₹84,999.00 → ₹79,999.00."),
  ).toBeVisible();
  await user.click(screen.getByRole("button", { name: /^Undo/ }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[0]?.body).toMatchObject({ price: 109900, finalPrice: 79999 });
  expect(sent[1]?.body).toMatchObject({ price: 109900, discount: 22.66, finalPrice: 84999 });
});

it("shows a discount above zero in the colour of savings", async () => {
  const { user } = await openProducts([
    aProduct(),
    aProduct({ _id: "p2", title: "Linen trousers", discount: 0 }),
  ]);
  const cell = async (title: string) => {
    await user.click(await screen.findByRole("button", { name: `Details of ${title}` }));
    return screen.getByRole("button", { name: new RegExp(`^Discount of ${title}`) }).closest("dd");
  };
  expect(await cell("Braided USB-C cable")).toHaveClass("text-saving");
  expect(await cell("Linen trousers")).not.toHaveClass("text-saving");
});

it("says when a deal starts or ends in the words of its card, or as a day and a time", async () => {
  const year = new Date().getFullYear();
  const shown = {
    hidesPrice: false,
    asOf: null,
    hidesRatings: false,
    disclosure: "",
    ends: "Ends today 16:55",
  };
  await openProducts([
    aProduct({ endsAt: `${year}-11-26T11:25:00Z`, shown }),
    aProduct({ _id: "p2", endsAt: `${year}-12-03T11:25:00Z` }),
    aProduct({ _id: "p3", state: "ended", endsAt: `${year - 1}-12-31T18:30:00Z` }),
    aProduct({ _id: "p4", state: "scheduled", startsAt: `${year + 1}-12-31T11:25:00Z` }),
  ]);
  expect(await screen.findByText("Ends today 16:55")).toBeVisible();
  expect(screen.getByText("Ends 3 Dec 16:55")).toBeVisible();
  expect(screen.getByText("Ended 1 Jan 00:00")).toBeVisible();
  expect(screen.getByText(`Starts 31 Dec ${year + 1} 16:55`)).toBeVisible();
});

it("sorts by a heading highest first, then lowest first, then as usual", async () => {
  const { user, location } = await openProducts([aProduct()]);
  const press = async () => user.click(await screen.findByRole("button", { name: "Price today" }));
  await press();
  expect(location().search).toBe("?sortBy=finalPrice");
  await press();
  expect(location().search).toBe("?sortBy=finalPrice&order=asc");
  await press();
  expect(location().search).toBe("");
});

it("ends a deal from its row, and takes it back", async () => {
  const { user, sent } = await openProducts([aProduct()]);
  await user.click(await screen.findByRole("button", { name: "More of Braided USB-C cable" }));
  await user.click(screen.getByRole("menuitem", { name: "End now" }));
  expect(await screen.findByText("“Braided USB-C cable” has ended.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: /^Undo/ }));
  await waitFor(() =>
    expect(sent).toEqual([
      { path: "/product/bulk", body: { ids: ["p1"], action: "end" } },
      { path: "/product/undo/u1", body: {} },
    ]),
  );
});

it("writes a message about a deal, to change and send by WhatsApp", async () => {
  const draft = aProduct({ _id: "p2", title: "Old lamp", state: "draft" });
  const { user } = await openProducts([aProduct(), draft]);
  await user.click(await screen.findByRole("button", { name: "More of Old lamp" }));
  expect(screen.queryByRole("menuitem", { name: "Send by WhatsApp" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "More of Braided USB-C cable" }));
  await user.click(screen.getByRole("menuitem", { name: "Send by WhatsApp" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Send this deal" }));
  await user.type(await dialog.findByRole("textbox", { name: "Message" }), " today");
  expect(dialog.getByText("Left out, because visitors can't buy it now: Old lamp.")).toBeVisible();
  expect(dialog.getByRole("link", { name: "Open WhatsApp" })).toHaveAttribute(
    "href",
    `https://wa.me/?text=${encodeURIComponent("*Braided USB-C cable*\n₹1,080 today")}`,
  );
  await user.click(dialog.getByRole("button", { name: "Copy" }));
  expect(await navigator.clipboard.readText()).toBe("*Braided USB-C cable*\n₹1,080 today");
  await user.click(dialog.getByRole("textbox", { name: "Message" }));
  await user.paste("नया ".repeat(300));
  expect(dialog.getByText("Too long for a link to WhatsApp: copy it, or share it.")).toBeVisible();
  expect(dialog.queryByRole("link", { name: "Open WhatsApp" })).toBeNull();
});

it("offers no end of drafts and of deals that ended", async () => {
  const draft = aProduct({ state: "draft" });
  const { user } = await openProducts([draft, aProduct({ _id: "p2", title: "Old lamp", state: "ended" })]);
  for (const title of [draft.title, "Old lamp"]) {
    await user.click(await screen.findByRole("button", { name: `More of ${title}` }));
    expect(screen.getByRole("menuitem", { name: "Delete" })).toBeVisible();
    expect(screen.queryByRole("menuitem", { name: "End now" })).toBeNull();
  }
});

it("reports a deal that somebody else ended before", async () => {
  const { user, answer } = await openProducts([aProduct()]);
  answer({ changed: 0, undo: "u1" });
  await user.click(await screen.findByRole("button", { name: "More of Braided USB-C cable" }));
  await user.click(screen.getByRole("menuitem", { name: "End now" }));
  expect(await screen.findByText("Somebody else ended or deleted it before")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: /^Undo/ })).toBeNull();
});

it("asks before a row's product is deleted, names it, and takes it back", async () => {
  const { user, sent } = await openProducts([aProduct()]);
  const ask = async () => {
    await user.click(await screen.findByRole("button", { name: "More of Braided USB-C cable" }));
    await user.click(screen.getByRole("menuitem", { name: "Delete" }));
    const dialog = await screen.findByRole("dialog", { name: "Delete this product?" });
    expect(within(dialog).getByText("Braided USB-C cable")).toBeVisible();
    return within(dialog);
  };
  await user.click((await ask()).getByRole("button", { name: "Cancel" }));
  expect(sent).toEqual([]);
  await user.click((await ask()).getByRole("button", { name: "Delete" }));
  expect(await screen.findByText("“Braided USB-C cable” is deleted.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: /^Undo/ }));
  await waitFor(() => expect(sent.map(({ path }) => path)).toEqual(["/product/bulk", "/product/undo/u1"]));
});

it("names the first three of the products that are deleted together, and counts the rest", async () => {
  const five = ["Kettle", "Lamp", "Mouse", "Pan", "Quilt"].map((title) => aProduct({ _id: title, title }));
  const { user } = await openProducts(five, "/admin/products", 12);
  const listed = async () => {
    await pressDelete(user);
    const dialog = screen.getByRole("dialog");
    const items = within(dialog)
      .getAllByRole("listitem")
      .map((item) => item.textContent);
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    return items;
  };
  for (const title of ["Mouse", "Kettle", "Pan"]) {
    await user.click(await screen.findByRole("checkbox", { name: `Select ${title}` }));
  }
  expect(await listed()).toEqual(["Mouse", "Kettle", "Pan"]);
  await user.click(screen.getByRole("checkbox", { name: "Select Quilt" }));
  expect(await listed()).toEqual(["Mouse", "Kettle", "Pan", "and 1 more"]);
  await user.click(screen.getByRole("button", { name: "Select all 12" }));
  expect(await listed()).toEqual(["Kettle", "Lamp", "Mouse", "and 9 more"]);
});

it("names the one product that is deleted by its selection, and takes it back", async () => {
  const { user, sent } = await openProducts([aProduct()]);
  await user.click(await screen.findByRole("checkbox", { name: "Select Braided USB-C cable" }));
  await pressDelete(user);
  const dialog = screen.getByRole("dialog", { name: "Delete 1 deal?" });
  expect(within(dialog).getByText("Braided USB-C cable")).toBeVisible();
  await user.click(within(dialog).getByRole("button", { name: "Delete" }));
  expect(await screen.findByText("“Braided USB-C cable” is deleted.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: /^Undo/ }));
  await waitFor(() => expect(sent.map(({ path }) => path)).toEqual(["/product/bulk", "/product/undo/u1"]));
});

it("confirms the prices that were looked at, and not those of a list chosen whole", async () => {
  const two = [aProduct(), aProduct({ _id: "p2", title: "Linen trousers", finalPrice: 900 })];
  const { user, sent } = await openProducts(two, "/admin/products", 12);
  for (const { title } of two) {
    await user.click(await screen.findByRole("checkbox", { name: `Select ${title}` }));
  }
  expect(screen.getByText("2 of 12 selected")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Price is the same" }));
  expect(await screen.findByText("2 prices are still the same")).toBeInTheDocument();
  expect(sent).toEqual([
    { path: "/product/confirm-price/p1", body: { finalPrice: 44444.16 } },
    { path: "/product/confirm-price/p2", body: { finalPrice: 900 } },
  ]);
  await user.click(screen.getByRole("checkbox", { name: "Select Linen trousers" }));
  await user.click(screen.getByRole("button", { name: "Select all 12" }));
  expect(screen.queryByRole("button", { name: "Price is the same" })).toBeNull();
});

it("asks for the products of an old address of a view, and for nothing else", async () => {
  const { asked, user } = await openProducts([aProduct()], "/admin/products?view=old-price");
  await waitFor(() => expect(asked("/product/get-products")?.get("needs")).toBe("old-price"));
  expect(screen.getByRole("link", { name: /^To check/, current: "page" })).toBeVisible();
  await user.click(screen.getByRole("checkbox", { name: "Select Braided USB-C cable" }));
  expect(screen.getByText("1 of 1 selected")).toBeVisible();
});

it("draws no line for a deal that nobody clicked in 30 days", async () => {
  await openProducts([aProduct()]);
  const row = (await screen.findByText("Braided USB-C cable")).closest("tr");
  expect(row?.querySelector(".spark")).toBeNull();
});

it("confirms an old price by one press in its list, whose products can be chosen together", async () => {
  const { user, sent } = await openProducts([aProduct()], "/admin/products?needs=old-price&sortBy=clicks");
  await user.click(screen.getByRole("checkbox", { name: "Select all on this page" }));
  expect(screen.getByText(/^1 of 1 selected$|^1 deal selected$|1.*selected/)).toBeVisible();
  await user.click(await screen.findByRole("button", { name: /^Still ₹44,444\.16: Braided USB-C cable/ }));
  await waitFor(() => expect(sent[0]?.path).toBe("/product/confirm-price/p1"));
});
