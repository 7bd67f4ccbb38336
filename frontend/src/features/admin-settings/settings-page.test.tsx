import { screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { defaultShop } from "../../shop/shop";
import { aPage, aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const COLOURS = {
  accent: "#112233",
  accentBg: "#eeeeff",
  fill: "#112233",
  fillStrong: "#001122",
  onFill: "#fff",
};

/** Opens the settings of a shop whose server applies each change. */
async function openSettings() {
  localStorage.setItem("token", "a-token");
  let shop = defaultShop;
  let version = 1;
  fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname.startsWith("/settings/palette/")) {
      return { body: { light: COLOURS, dark: { ...COLOURS, accent: "#aabbcc" } } };
    }
    if (url.pathname === "/settings") {
      if (init.method === "PUT") {
        const { name = shop.name } = JSON.parse(String(init.body));
        shop = { ...shop, name, mark: "/marks/new.svg" };
        version += 1;
      }
      return { body: { shop, accent: null, ownMark: false, drafts: [], version } };
    }
    return url.pathname.startsWith("/product/") ? { body: aPage([]) } : { body: { setup: [] } };
  });
  const app = renderApp("/admin/settings");
  await screen.findByRole("heading", { name: "Settings" });
  return app;
}

it("shows a saved name and mark in the frame at once", async () => {
  const { user, container } = await openSettings();
  const name = await screen.findByLabelText("Name");
  await user.clear(name);
  await user.type(name, "Sasta Bazaar");
  await user.click(screen.getAllByRole("button", { name: "Save" })[0] as HTMLElement);
  await waitFor(() => expect(container.querySelector(".rail .brand")).toHaveTextContent("Sasta Bazaar"));
  expect(container.querySelector(".rail .brand img")).toHaveAttribute("src", "/marks/new.svg");
});

it("shows a saved colour on the open page at once, in both themes", async () => {
  const replaceSync = vi.fn();
  vi.stubGlobal(
    "CSSStyleSheet",
    class {
      replaceSync = replaceSync;
    },
  );
  Object.defineProperty(document, "adoptedStyleSheets", { value: [], configurable: true });
  const { user } = await openSettings();
  await screen.findByLabelText("Name");
  await user.click(screen.getAllByRole("button", { name: "Save" })[1] as HTMLElement);
  await waitFor(() => expect(replaceSync).toHaveBeenCalledOnce());
  const css = String(replaceSync.mock.calls[0]);
  expect(css).toContain(":root{--accent:#112233;");
  expect(css).toContain(":root[data-theme=dark]{--accent:#aabbcc;");
  expect(document.adoptedStyleSheets).toHaveLength(1);
});
