import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { aPage, fakeServer } from "../test/fake-server";

it("has a landmark and a heading while the code of the office comes, and if it does not", async () => {
  vi.doMock("./office/office", () => Promise.reject(new Error("no network")));
  // Other tests have loaded it.
  vi.resetModules();
  const { renderApp } = await import("../test/render-app");
  fakeServer(() => ({ body: aPage([]) }));
  renderApp("/admin");
  expect(screen.getByRole("heading", { level: 1, name: "Office" })).toBeInTheDocument();
  expect(screen.getByRole("main")).toHaveTextContent("Loading...");
  expect(await screen.findByRole("button", { name: "Retry" })).toBeVisible();
  expect(screen.getByRole("main")).toHaveTextContent("This screen could not be loaded");
  expect(screen.getByRole("heading", { level: 1, name: "Office" })).toBeInTheDocument();
  vi.doUnmock("./office/office");
});
