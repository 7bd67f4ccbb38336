import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aPage, aProduct, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const many = () => ({ body: aPage([aProduct()], { totalPages: 5, total: 47 }) });

function lastQuery(server: ReturnType<typeof fakeServer>) {
  const lists = server.requests.filter(({ url }) => url.pathname === "/product/get-products");
  const { view, ...query } = Object.fromEntries(lists.at(-1)?.url.searchParams ?? []);
  expect(view).toBe("card");
  return query;
}

describe("a card", () => {
  it("shows everything the specification asks for", async () => {
    const description = "d".repeat(130);
    fakeServer(() => ({ body: aPage([aProduct({ description })]) }));
    renderApp();
    const card = within(await screen.findByRole("article"));
    expect(card.getByRole("heading", { name: "Braided USB-C cable" })).toBeVisible();
    expect(card.getByText("₹44,444")).toHaveTextContent("₹44,444.16");
    expect(card.getByText("₹1,23,456.00").closest("s")).toBeVisible();
    expect(card.getByText("−64%")).toBeVisible();
    expect(card.getByText("★ 4.2 · 24,269 reviews")).toBeVisible();
    expect(card.getByText("3 Clicks")).toBeVisible();
    expect(card.getByText("Amazon")).toBeVisible();
    expect(card.getByText(`${"d".repeat(100)}…`)).toBeVisible();
    const buy = card.getByRole("link", { name: /^Buy It on Amazon/ });
    expect(buy).toHaveAttribute("href", "https://shop.example/cable");
    expect(buy).toHaveAttribute("target", "_blank");
    expect(buy).toHaveAttribute("rel", "sponsored nofollow noopener");
    expect(card.getByRole("link", { name: "View Details Braided USB-C cable" })).toHaveAttribute(
      "href",
      "/details/p1",
    );
  });

  it("says how long ago it was added, in its first week", async () => {
    const [day, hours] = [24, 2].map((hours) => new Date(Date.now() - hours * 3_600_000).toISOString());
    fakeServer(() => ({
      body: aPage([
        aProduct({ _id: "a", createdAt: day ?? "" }),
        aProduct({ _id: "b", publishedAt: hours ?? "" }),
        aProduct({ _id: "c" }),
      ]),
    }));
    renderApp();
    const cards = await screen.findAllByRole("article");
    const ages = cards.map((card) => within(card).queryByText("Added")?.parentElement?.textContent);
    expect(ages).toEqual(["\u00a0· Added 1 day ago", "\u00a0· Added 2 h ago", undefined]);
  });

  it("shows no struck-out price without a discount", async () => {
    fakeServer(() => ({ body: aPage([aProduct({ clicks: 1, discount: 0, finalPrice: 123456 })]) }));
    renderApp();
    const card = within(await screen.findByRole("article"));
    expect(card.getByText("1 Click")).toBeVisible();
    expect(card.getAllByText("₹1,23,456")).toHaveLength(1);
    expect(document.querySelector("article s")).toBeNull();
    expect(card.queryByText(/%/)).toBeNull();
  });

  it("counts the click when somebody buys, and shows the new count", async () => {
    const server = fakeServer((url) =>
      url.pathname === "/product/increament-views/p1"
        ? { body: { clicks: 4 } }
        : { body: aPage([aProduct()]) },
    );
    const { user } = renderApp();
    await user.click(await screen.findByRole("link", { name: /^Buy It on/ }));
    expect(await screen.findByText("🎉 Click Recorded!")).toBeVisible();
    expect(screen.getByText("4 Clicks")).toBeVisible();
    const click = server.requests.find(({ url }) => url.pathname.includes("increament-views"));
    expect(click?.init).toMatchObject({ method: "POST", keepalive: true });
  });

  it("reports a click that was not counted", async () => {
    fakeServer((url) =>
      url.pathname.includes("increament") ? "network down" : { body: aPage([aProduct()]) },
    );
    const { user } = renderApp();
    await user.click(await screen.findByRole("link", { name: /^Buy It on/ }));
    expect(await screen.findByText("product increament failed")).toBeVisible();
  });

  it("shows a drawing when its picture fails", async () => {
    fakeServer(() => ({ body: aPage([aProduct()]) }));
    const { container } = renderApp();
    await screen.findByRole("article");
    const picture = container.querySelector("article img");
    picture?.dispatchEvent(new Event("error"));
    await waitFor(() => expect(container.querySelector("article img")).toBeNull());
    expect(container.querySelector("article .picture svg")).not.toBeNull();
  });
});

describe("the filters", () => {
  it("ask for ten products, newest first, to begin with", async () => {
    const server = fakeServer(many);
    renderApp();
    await screen.findByText("Page 1 of 5");
    expect(lastQuery(server)).toEqual({ page: "1", limit: "10", sortBy: "createdAt", order: "desc" });
    expect(screen.getByText("47 deals")).toBeVisible();
  });

  it("are read from the address, and invalid ones are ignored", async () => {
    const server = fakeServer(many);
    renderApp("/?page=2&category=Books&sortBy=price&order=asc&search=tea");
    await screen.findByText("Page 2 of 5");
    expect(lastQuery(server)).toEqual({
      page: "2",
      limit: "10",
      sortBy: "price",
      order: "asc",
      category: "Books",
      search: "tea",
      exact: "false",
    });
  });

  it.each(["/?page=x&category=Toys&sortBy=password&order=up", "/?page=-1", "/?page=0"])(
    "ignore nonsense in %s",
    async (address) => {
      const server = fakeServer(many);
      renderApp(address);
      await screen.findByText("Page 1 of 5");
      expect(lastQuery(server)).toEqual({ page: "1", limit: "10", sortBy: "createdAt", order: "desc" });
    },
  );

  it("go back to page 1 when any of them changes, and keep the others", async () => {
    const server = fakeServer(many);
    const { user, location, go } = renderApp("/?page=3&search=tea");
    await screen.findByText("Page 3 of 5");
    await user.click(
      within(screen.getByRole("navigation", { name: "Categories" })).getByRole("link", { name: /^Books/ }),
    );
    await waitFor(() =>
      expect(lastQuery(server)).toMatchObject({ page: "1", category: "Books", search: "tea" }),
    );
    await user.selectOptions(screen.getByRole("combobox", { name: "Sort by" }), "Rating");
    await waitFor(() => expect(lastQuery(server)).toMatchObject({ sortBy: "ratings.averageRating" }));
    await user.selectOptions(screen.getByRole("combobox", { name: "Order" }), "Lowest first");
    await waitFor(() => expect(lastQuery(server)).toMatchObject({ order: "asc", category: "Books" }));
    expect(location().search).toBe("?search=tea&sortBy=ratings.averageRating&order=asc");
    await go(-2);
    await waitFor(() =>
      expect(location()).toMatchObject({ pathname: "/category/books", search: "?search=tea" }),
    );
    await waitFor(() => expect(screen.getByRole("combobox", { name: "Sort by" })).toHaveValue("relevance"));
  });

  it("offer every sort, relevance for a search only, and all five categories", async () => {
    fakeServer(many);
    renderApp();
    await screen.findByText("Page 1 of 5");
    const names = (options: HTMLElement[]) => options.map((option) => option.textContent);
    const sorts = within(screen.getByRole("combobox", { name: "Sort by" })).getAllByRole("option");
    const always = [
      "Date Added",
      "Price",
      "Rating",
      "Discount",
      "Really cheaper",
      "Biggest drop",
      "Ending soon",
      "Popularity",
      "List price",
    ];
    expect(names(sorts)).toEqual(always);
    const categories = within(screen.getByRole("navigation", { name: "Categories" })).getAllByRole("link");
    expect(categories.map((link) => link.textContent?.replace(/[\d,]+$/, ""))).toEqual([
      "All",
      "Electronics",
      "Clothing",
      "Books",
      "Home",
    ]);
  });
});

describe("the search", () => {
  it("starts by Enter and by the button, and not while typing", async () => {
    const server = fakeServer(many);
    const { user, location, go } = renderApp();
    await screen.findByText("Page 1 of 5");
    const field = screen.getByRole("searchbox", { name: "Search deals" });
    await user.type(field, "  usb cable ");
    expect(location().search).toBe("");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(lastQuery(server)).toMatchObject({ search: "usb cable", page: "1" }));
    expect(field).toHaveFocus();
    await user.clear(field);
    await user.type(field, "kettle");
    await user.click(screen.getByRole("button", { name: "Search" }));
    await waitFor(() => expect(lastQuery(server)).toMatchObject({ search: "kettle" }));
    await go(-1);
    await waitFor(() => expect(field).toHaveValue("usb cable"));
  });

  it("is focused by /search", async () => {
    fakeServer(many);
    const { location } = renderApp("/search");
    expect(await screen.findByRole("searchbox")).toHaveFocus();
    expect(location().pathname).toBe("/");
  });

  it("names the search that found nothing and how to go on", async () => {
    const server = fakeServer((url) => ({ body: url.searchParams.has("search") ? aPage([]) : many().body }));
    const { user } = renderApp("/?search=cabel&category=Books");
    expect(await screen.findByText("No deals match “cabel”.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    await screen.findByText("Page 1 of 5");
    expect(lastQuery(server)).toEqual({ page: "1", limit: "10", sortBy: "createdAt", order: "desc" });
  });
});

describe("the pager", () => {
  it("is disabled at both ends", async () => {
    fakeServer(() => ({ body: aPage([aProduct()]) }));
    renderApp();
    await screen.findByText("Page 1 of 1");
    expect(screen.getByRole("button", { name: "Previous" })).toBeDisabled();
    expect(screen.getByRole("button", { name: "Next" })).toBeDisabled();
  });

  it("turns pages by buttons, by arrow keys and by number", async () => {
    fakeServer(many);
    const { user } = renderApp();
    await screen.findByText("Page 1 of 5");
    await user.click(screen.getByRole("link", { name: "Next" }));
    await screen.findByText("Page 2 of 5");
    (document.activeElement as HTMLElement).blur();
    await user.keyboard("{ArrowRight}");
    await screen.findByText("Page 3 of 5");
    await user.keyboard("{ArrowLeft}");
    await screen.findByText("Page 2 of 5");
    await user.type(screen.getByRole("textbox", { name: "Go to page" }), "99{Enter}");
    await screen.findByText("Page 5 of 5");
    expect(screen.getByRole("button", { name: "Next" })).toBeDisabled();
  });

  it("leads back from a page past the end", async () => {
    fakeServer((url) => ({
      body: url.searchParams.get("page") === "9" ? aPage([], { totalPages: 5, total: 47 }) : many().body,
    }));
    const { user } = renderApp("/?page=9");
    await user.click(await screen.findByRole("link", { name: "Go to the last page" }));
    await screen.findByText("Page 5 of 5");
  });
});

describe("a list that fails", () => {
  it("shows an error and retries on request", async () => {
    const server = fakeServer(() => "network down");
    const { user } = renderApp();
    expect(await screen.findByText("Failed to load products")).toBeVisible();
    server.answer(many);
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await screen.findByText("Page 1 of 5")).toBeVisible();
    expect(screen.queryByText("Failed to load products")).toBeNull();
  });

  it("does not show other products under the heading of those that failed", async () => {
    const server = fakeServer(many);
    const { user } = renderApp();
    await screen.findByText("Page 1 of 5");
    server.answer(() => ({ status: 503, body: { error: "The shop is busy." } }));
    await user.click(screen.getByRole("link", { name: "Next" }));
    expect(await screen.findByText("Failed to load products")).toBeVisible();
    expect(screen.queryByRole("article")).toBeNull();
    server.answer(many);
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await screen.findByText("Page 2 of 5")).toBeVisible();
  });

  it("keeps the list when a refresh fails", async () => {
    const server = fakeServer(many);
    const { refresh } = renderApp();
    await screen.findByText("Page 1 of 5");
    server.answer(() => "network down");
    await act(() => refresh());
    expect(await screen.findByText("Failed to load products")).toBeVisible();
    expect(screen.getByRole("article")).toBeVisible();
  });
});

it("says below the price filter what a price looks like, not in the browser's bubble", async () => {
  fakeServer(many);
  const { user, location } = renderApp();
  const field = (await screen.findAllByLabelText("Lowest price"))[0] as HTMLInputElement;
  await user.type(field, "abc");
  const shown = new Event("invalid", { cancelable: true });
  act(() => void field.dispatchEvent(shown));
  expect(shown.defaultPrevented).toBe(true);
  expect(await screen.findByText("Enter a price in rupees, like 500 or 499.50.")).toBeVisible();
  expect(field).toBeInvalid();
  expect(field).toHaveFocus();
  expect(location().search).toBe("");
  await user.clear(field);
  expect(screen.queryByText("Enter a price in rupees, like 500 or 499.50.")).toBeNull();
});
