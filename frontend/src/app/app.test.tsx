import { screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { ApiError } from "../api/client";
import { aPage, fakeServer } from "../test/fake-server";
import { renderApp } from "../test/render-app";
import { dataSettings } from "./data-settings";

describe("the frame", () => {
  it("goes through system, dark and light, and remembers the choice", async () => {
    fakeServer(() => ({ body: aPage([]) }));
    const { user } = renderApp();
    const root = document.documentElement;
    const toggle = () => screen.getAllByRole("button", { name: /^Theme:/ })[0] as HTMLElement;
    expect(root).not.toHaveAttribute("data-theme");
    await user.click(toggle());
    // The system's theme is light here, so the first press selects the dark one.
    expect(root).toHaveAttribute("data-theme", "dark");
    expect(localStorage.getItem("theme")).toBe("dark");
    await user.click(toggle());
    expect(root).toHaveAttribute("data-theme", "light");
    expect(toggle()).toHaveAccessibleName("Theme: light");
    await user.click(toggle());
    expect(root).not.toHaveAttribute("data-theme");
    expect(localStorage.getItem("theme")).toBe("system");
  });

  it("has a page for unknown addresses", async () => {
    fakeServer(() => ({ body: aPage([]) }));
    renderApp("/no/such/page");
    expect(await screen.findByRole("heading", { name: "Page not found" })).toBeVisible();
    expect(screen.getByRole("link", { name: "See all deals" })).toHaveAttribute("href", "/");
  });
});

describe("scrolling", () => {
  it("restores the place when another document leads back to a kept page", async () => {
    fakeServer(() => ({ body: aPage([]) }));
    renderApp();
    await screen.findByRole("heading", { name: "Opening soon" });
    const scrollTo = vi.spyOn(window, "scrollTo");
    const go = (type: string) => window.dispatchEvent(new PageTransitionEvent(type, { persisted: true }));
    vi.stubGlobal("scrollY", 900);
    go("pagehide");
    vi.stubGlobal("scrollY", 0);
    go("pageshow");
    expect(scrollTo).toHaveBeenCalledWith(0, 900);
  });
});

describe("server data", () => {
  it("merges requests for 2 s and is fresh after focus and reconnect", () => {
    expect(dataSettings).toMatchObject({
      dedupingInterval: 2000,
      revalidateOnFocus: true,
      revalidateOnReconnect: true,
    });
  });

  it("is asked for again every 5 s after a failure, and never after a refusal", () => {
    vi.useFakeTimers();
    const revalidate = vi.fn().mockResolvedValue(true);
    const retry = (error: unknown) =>
      dataSettings.onErrorRetry?.(error as Error, "key", {} as never, revalidate, {
        retryCount: 9,
        dedupe: true,
      });
    retry(new ApiError("busy", 503));
    vi.advanceTimersByTime(4_999);
    expect(revalidate).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(revalidate).toHaveBeenCalledTimes(1);
    retry(new ApiError("not found", 404));
    vi.advanceTimersByTime(60_000);
    expect(revalidate).toHaveBeenCalledTimes(1);
    vi.useRealTimers();
  });
});
