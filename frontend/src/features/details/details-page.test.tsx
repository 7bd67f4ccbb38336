import { act, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { cardOf } from "../../api/products/product";
import type { PriceHistory, Removed } from "../../api/types";
import { aPage, aProduct, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const found = () => ({ body: { product: aProduct({ description: "First line.\nSecond line." }) } });

afterEach(() => {
  Reflect.deleteProperty(navigator, "share");
});

describe("the details of a product", () => {
  it("are asked for without credentials and show every element", async () => {
    const server = fakeServer(found);
    renderApp("/details/p1");
    expect(screen.getByText("Loading...")).toBeVisible();
    expect(await screen.findByRole("heading", { level: 1, name: "Braided USB-C cable" })).toBeVisible();
    expect(screen.getByText(/First line\.\s+Second line\./).closest("section")).toHaveClass("description");
    expect(screen.getAllByText("₹44,444")).toHaveLength(2);
    expect(screen.getByText("₹79,011.84 below the list price · −64%")).toBeVisible();
    expect(
      screen.getByText("Price seen on 1 March 2026. Check the price at Amazon before you buy."),
    ).toBeVisible();
    expect(screen.getByText("₹1,23,456.00")).toBeVisible();
    expect(screen.getByText("★ 4.2 out of 5 · 24,269 reviews · 3 Clicks", { exact: false })).toBeVisible();
    const facts = within(screen.getByText("Category").closest("dl") as HTMLElement);
    expect(facts.getByText("Electronics")).toBeVisible();
    expect(facts.getByText("Amazon")).toBeVisible();
    expect(screen.getByRole("img", { name: "Braided USB-C cable" })).toBeVisible();
    expect(screen.getByRole("link", { name: /^Buy It on Amazon/ })).toBeVisible();
    expect(screen.getByRole("button", { name: "Share" })).toBeVisible();
    expect(screen.getByRole("button", { name: "Back" })).toBeVisible();
    expect(server.requests[0]?.url.pathname).toBe("/product/product/p1");
    expect(server.requests[0]?.init.credentials).toBe("omit");
  });

  it("are shown at once when the list has loaded them", async () => {
    fakeServer((url) =>
      url.pathname.startsWith("/product/product") ? found() : { body: aPage([aProduct()]) },
    );
    const { user, location } = renderApp("/?search=usb");
    await user.click(await screen.findByRole("link", { name: /^View Details/ }));
    expect(screen.getByRole("heading", { level: 1, name: "Braided USB-C cable" })).toHaveFocus();
    expect(screen.queryByText("Loading...")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Back" }));
    expect(location().search).toBe("?search=usb");
    expect(await screen.findByRole("link", { name: /^View Details/ })).toHaveFocus();
  });

  it("lead to the list from a shared link", async () => {
    fakeServer((url) =>
      url.pathname.startsWith("/product/product") ? found() : { body: aPage([aProduct()]) },
    );
    const { user, location } = renderApp("/details/p1");
    await user.click(await screen.findByRole("button", { name: "Back" }));
    expect(location().pathname).toBe("/");
  });

  it("say that there is no such product", async () => {
    fakeServer(() => ({ status: 404, body: { error: "Product not found." } }));
    renderApp("/details/nope");
    expect(await screen.findByText("Product not found.")).toBeVisible();
    expect(await screen.findByText("Failed to load product details. Please try again later.")).toBeVisible();
    expect(screen.getByRole("link", { name: "See all deals" })).toHaveAttribute("href", "/");
  });

  it("say which product was removed, and show some like it", async () => {
    const removed: Removed = {
      title: "Copper kettle",
      source: "Croma",
      category: "Home",
      removedAt: "2026-03-01T10:20:30.456Z",
      words: "“Copper kettle” from Croma was removed from the shop on 1 Mar 2026.",
      similar: [cardOf(aProduct({ _id: "p2", title: "Steel kettle" }))],
      seller: [],
      sellerTotal: 0,
    };
    const facets = { all: 5, categories: [{ name: "Home", products: 5 }], sources: [], chips: [] };
    const server = fakeServer(({ pathname }) => {
      if (pathname === "/product/facets") {
        return { body: facets };
      }
      return pathname.startsWith("/product/removed/")
        ? { body: removed }
        : { status: 404, body: { error: "Product not found." } };
    });
    renderApp("/details/a%2Fb");
    expect(await screen.findByText("Product not found.")).toBeVisible();
    expect(screen.getByText(removed.words)).toBeVisible();
    expect(screen.getByRole("link", { name: /^Steel kettle/ })).toHaveAttribute("href", "/details/p2");
    expect(await screen.findByRole("link", { name: "All 5 in Home" })).toHaveAttribute(
      "href",
      "/category/home",
    );
    expect(screen.queryByText("It may have been removed from the shop.")).toBeNull();
    expect(server.requests.map(({ url }) => url.pathname)).toContain("/product/removed/a%2Fb");
  });

  it("can be asked for again when the network failed", async () => {
    const server = fakeServer(() => "network down");
    const { user } = renderApp("/details/p1");
    expect(await screen.findByText("Product not found.")).toBeVisible();
    server.answer(found);
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Braided USB-C cable" })).toBeVisible();
  });

  it("are shared natively, or their link is copied", async () => {
    fakeServer(found);
    const { user } = renderApp("/details/p1");
    await user.click(await screen.findByRole("button", { name: "Share" }));
    expect(await screen.findByText("Link copied")).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe(window.location.href);
    const whatsApp = screen.getByRole("link", { name: "WhatsApp" }).getAttribute("href") ?? "";
    expect(new URL(whatsApp).searchParams.get("text")).toMatch(
      /^Braided USB-C cable http.*utm_source=whatsapp$/,
    );
    const telegram = screen.getByRole("link", { name: "Telegram" }).getAttribute("href") ?? "";
    expect(new URL(telegram).searchParams.get("url")).toMatch(/^http.*utm_source=telegram$/);
    Object.assign(navigator, { share: vi.fn().mockResolvedValue(undefined) });
    await user.click(screen.getByRole("button", { name: "Share" }));
    expect(await screen.findByText("Shared successfully")).toBeVisible();
    expect(screen.queryByText("Link copied")).toBeNull();
    expect(screen.queryByRole("link", { name: "WhatsApp" })).toBeNull();
  });

  it("are shared in the press itself: browsers refuse it later", async () => {
    fakeServer(found);
    renderApp("/details/p1");
    const button = await screen.findByRole("button", { name: "Share" });
    const native = vi.fn(() => new Promise<void>(() => undefined));
    Object.assign(navigator, { share: native });
    act(() => button.click());
    expect(native).toHaveBeenCalledOnce();
  });

  it("can be reported as over, once, after a question", async () => {
    const server = fakeServer((url, init) => {
      if (url.pathname === "/product/report-over/p1") {
        expect(init.method).toBe("POST");
        return { body: { noted: true } };
      }
      return found();
    });
    const { user } = renderApp("/details/p1");
    const sent = () => server.requests.filter(({ url }) => url.pathname.startsWith("/product/report-over"));
    await user.click(await screen.findByRole("button", { name: "Is this deal over?" }));
    expect(screen.getByRole("group", { name: "Is this deal over?" })).toBeVisible();
    await user.click(screen.getByRole("button", { name: "No" }));
    expect(screen.getByRole("button", { name: "Is this deal over?" })).toHaveFocus();
    expect(sent()).toHaveLength(0);
    await user.keyboard("{Enter}");
    expect(screen.getByRole("button", { name: "Yes, it is over" })).toHaveFocus();
    await user.keyboard("{Enter}");
    expect(await screen.findByText("Thank you. The shop will check this deal.")).toBeVisible();
    const button = screen.getByRole("button", { name: "Reported as over" });
    expect(button).toHaveFocus();
    await user.click(button);
    expect(sent()).toHaveLength(1);
  });

  it("of an ended deal are not reported as over", async () => {
    fakeServer(() => ({ body: { product: aProduct({ state: "ended" }) } }));
    renderApp("/details/p1");
    expect(await screen.findByRole("button", { name: "Share" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Is this deal over?" })).toBeNull();
  });

  it("show every picture and let one be chosen", async () => {
    const images = ["https://pictures.example/1.jpg", "https://pictures.example/2.jpg"];
    fakeServer(() => ({ body: { product: aProduct({ images }) } }));
    const { user } = renderApp("/details/p1");
    const second = await screen.findByRole("button", { name: "Show picture 2 of 2" });
    await user.click(second);
    expect(second).toHaveAttribute("aria-current", "true");
    expect(screen.getByRole("img", { name: "Braided USB-C cable, picture 2" })).toBeVisible();
  });

  it("say in one sentence what the price was, and draw it", async () => {
    const verdict = {
      kind: "list_price_misleads",
      words: "Usual price",
      sentence: "Listed as −64%, but it was ₹399–₹419 on 81 of the last 90 days.",
    } as const;
    const history: PriceHistory = {
      alerts: true,
      since: "2026-03-01T10:20:30.456Z",
      low30: 399,
      low90: 399,
      usual: 409,
      figures: [{ name: "Usual price", amount: 409, saved: false }],
      plot: {
        path: "M0 110H300V60H600",
        gaps: "",
        levels: ["₹419", "₹409", "₹399"],
        dates: ["1 Mar", "today"],
        marks: "M600 60h0M150 110h0",
        lowest: "Lowest ₹399 on 9 Mar",
        readings: [
          { left: 0, right: 300, words: "1 Mar to 9 Mar: ₹399" },
          { left: 300, right: 600, words: "Since 9 Mar: ₹409" },
        ],
      },
      points: [],
    };
    fakeServer((url) =>
      url.pathname.startsWith("/product/price-history")
        ? { body: history }
        : { body: { product: aProduct({ verdict }) } },
    );
    const { user } = renderApp("/details/p1");
    expect(await screen.findByText(verdict.sentence)).toBeVisible();
    const panel = within((await screen.findByText("What it cost before")).closest("section") as HTMLElement);
    expect(panel.getByText("Lowest ₹399 on 9 Mar")).toBeVisible();
    const plot = panel.getByRole("slider", { name: "What it cost before" });
    expect(plot).toHaveAttribute("aria-valuetext", "Since 9 Mar: ₹409");
    plot.focus();
    await user.keyboard("{ArrowLeft}");
    expect(plot).toHaveAttribute("aria-valuetext", "1 Mar to 9 Mar: ₹399");
    expect(panel.getByText("1 Mar to 9 Mar: ₹399")).toBeVisible();
    await user.tab();
    expect(panel.getByText("Lowest ₹399 on 9 Mar")).toBeVisible();
    expect(panel.getAllByText("₹409")).toHaveLength(2);
    expect(panel.getByText("1 Mar")).toBeVisible();
  });
});
