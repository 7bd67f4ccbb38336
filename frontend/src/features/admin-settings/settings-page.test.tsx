import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { defaultShop } from "../../shop/shop";
import { aPage, aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";
import { aBackupPlace, aMailServer, NO_SUBSCRIBERS } from "../../test/server-settings";

const COLOURS = {
  accent: "#112233",
  accentBg: "#eeeeff",
  fill: "#112233",
  fillStrong: "#001122",
  onFill: "#fff",
};

/** Opens the settings of a shop whose server applies each change. */
async function openSettings(section = "") {
  localStorage.setItem("token", "a-token");
  let shop = defaultShop;
  let version = 1;
  const sent: Record<string, unknown>[] = [];
  fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname.startsWith("/settings/palette/")) {
      return { body: { light: COLOURS, dark: { ...COLOURS, accent: "#aabbcc" } } };
    }
    if (url.pathname === "/settings") {
      if (init.method === "PUT") {
        const change = JSON.parse(String(init.body));
        sent.push(change);
        if (change.sameWords === "lugda") {
          const reason = "Line 1: write it like saree = sari, or kurta > kurti.";
          return { status: 400, body: { error: reason, fields: { sameWords: reason } } };
        }
        const { name = shop.name } = change;
        shop = { ...shop, name, mark: "/marks/new.svg" };
        version += 1;
      }
      return {
        body: {
          shop,
          accent: null,
          ownMark: false,
          drafts: [],
          digestHour: 9,
          sameWords: "",
          frontPage: [],
          version,
        },
      };
    }
    if (url.pathname === "/subscriber") {
      return { body: NO_SUBSCRIBERS };
    }
    if (url.pathname === "/settings/mail") {
      return { body: aMailServer({}) };
    }
    if (url.pathname === "/settings/backups") {
      return { body: aBackupPlace({}) };
    }
    return url.pathname.startsWith("/product/") ? { body: aPage([]) } : { body: { setup: [] } };
  });
  const app = renderApp(`/admin/settings${section}`);
  await screen.findByRole("heading", { name: "Settings" });
  return { ...app, sent };
}

it("shows a saved name and logo in the frame at once", async () => {
  const { user, container } = await openSettings();
  const name = await screen.findByLabelText("Name");
  await user.clear(name);
  await user.type(name, "Sasta Bazaar");
  await user.click(screen.getByRole("button", { name: "Save name and contact" }));
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
  const { user } = await openSettings("#colour");
  fireEvent.change(await screen.findByLabelText(/^The colour of the top of every page/), {
    target: { value: "#112233" },
  });
  await user.click(await screen.findByRole("button", { name: "Save colour" }));
  await waitFor(() => expect(replaceSync).toHaveBeenCalledOnce());
  const css = String(replaceSync.mock.calls[0]);
  expect(css).toContain(":root{--accent:#112233;");
  expect(css).toContain(":root[data-theme=dark]{--accent:#aabbcc;");
  expect(document.adoptedStyleSheets).toHaveLength(1);
});

it("saves one section alone, and keeps what was typed in another", async () => {
  // The guard of unsaved changes compares addresses of the browser, which tests do not move.
  window.history.replaceState(null, "", "/admin/settings");
  const { user, sent } = await openSettings("#search");
  const name = await screen.findByLabelText("Name");
  fireEvent.change(name, { target: { value: "Sasta Bazaar" } });
  await user.type(screen.getByLabelText("Your words"), "lugda = saree");
  await user.click(screen.getByRole("button", { name: "Save search words" }));
  await waitFor(() => expect(sent).toEqual([{ version: 1, sameWords: "lugda = saree" }]));
  await user.click(screen.getByRole("link", { name: "Name and contact" }));
  expect(name).toHaveValue("Sasta Bazaar");
  expect(screen.getByText("Not saved yet")).toBeVisible();
  expect(screen.queryByText("Unsaved changes")).toBeNull();
  await user.type(name, "{Enter}");
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual({ version: 2, name: "Sasta Bazaar" });
  window.history.replaceState(null, "", "/");
});

it("has an address for each section, which older addresses lead to as well", async () => {
  const { user } = await openSettings("#same-words");
  const tabs = within(await screen.findByRole("navigation", { name: "Settings" }));
  expect(tabs.getByRole("link", { name: "Search words" })).toHaveAttribute("aria-current", "page");
  expect(screen.getByRole("heading", { name: "Words for the same thing" })).toBeVisible();
  expect(screen.queryByRole("heading", { name: "Backups" })).toBeNull();
  await user.click(tabs.getByRole("link", { name: "Backups" }));
  expect(tabs.getByRole("link", { name: "Backups" })).toHaveAttribute("aria-current", "page");
  expect(tabs.getByRole("link", { name: "Backups" })).toHaveAttribute("href", "/admin/settings#backups");
  expect(screen.getByRole("heading", { name: "Backups" })).toBeVisible();
});

it("asks before unsaved settings are left", async () => {
  const { user, location } = await openSettings();
  await user.type(await screen.findByLabelText("Name"), "!");
  await user.click(screen.getAllByRole("link", { name: "Reports" })[0] as HTMLElement);
  await screen.findByRole("dialog", { name: "Leave without saving?" });
  expect(location().pathname).toBe("/admin/settings");
  await user.click(screen.getByRole("button", { name: "Leave" }));
  await waitFor(() => expect(location().pathname).toBe("/admin/reports"));
});

it("says below the owner's words which line is wrong, and keeps what was typed", async () => {
  const { user, sent } = await openSettings("#search");
  const words = await screen.findByLabelText("Your words");
  await user.type(words, "lugda");
  await user.click(screen.getByRole("button", { name: "Save search words" }));
  await waitFor(() => expect(words).toBeInvalid());
  expect(words).toHaveAccessibleDescription(/Line 1: write it like saree = sari/);
  expect(words).toHaveValue("lugda");
  await user.type(words, " = saree");
  await user.click(screen.getByRole("button", { name: "Save search words" }));
  await waitFor(() => expect(sent.at(-1)).toEqual({ version: 1, sameWords: "lugda = saree" }));
});

it("makes a link of a telephone number", async () => {
  const { user, sent } = await openSettings();
  await user.type(await screen.findByLabelText("WhatsApp"), "98765 43210");
  await user.click(screen.getByRole("button", { name: "Save name and contact" }));
  await waitFor(() => expect(sent).toEqual([{ version: 1, whatsapp: "https://wa.me/919876543210" }]));
  expect(screen.getByLabelText("WhatsApp")).toHaveValue("https://wa.me/919876543210");
});

it("makes links of names at Telegram and Instagram", async () => {
  const { user, sent } = await openSettings();
  await user.type(await screen.findByLabelText("Telegram"), "two words");
  await user.click(screen.getByRole("button", { name: "Save name and contact" }));
  expect(await screen.findByText(/^Enter a name, like @example, or a whole address/)).toBeVisible();
  await user.clear(screen.getByLabelText("Telegram"));
  await user.type(screen.getByLabelText("Telegram"), "@example");
  await user.type(screen.getByLabelText("Instagram"), "instagram.com/ex.ample");
  await user.click(screen.getByRole("button", { name: "Save name and contact" }));
  const links = { telegram: "https://t.me/example", instagram: "https://instagram.com/ex.ample" };
  await waitFor(() => expect(sent).toEqual([{ version: 1, ...links }]));
});
