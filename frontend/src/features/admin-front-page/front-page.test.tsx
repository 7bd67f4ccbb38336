import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Section } from "../../api/types";
import { defaultShop } from "../../shop/shop";
import { aPage, aProduct, aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const TEXT: Section = { kind: "text", title: "Hello", text: "Words" };
const NEWEST: Section = { kind: "newest", deals: 6 };
const BOOKS: Section = { kind: "category", name: "Books", deals: 4 };

/** Opens the screen of a shop with these sections. */
async function open(frontPage: Section[]) {
  localStorage.setItem("token", "a-token");
  const sent: Record<string, unknown>[] = [];
  const previewed: Section[][] = [];
  let version = 3;
  fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname === "/settings/front-page/preview") {
      const { frontPage: sections } = JSON.parse(String(init.body));
      previewed.push(sections);
      const home = { picks: [], cheaper: false, note: null, promise: "", seen: null, categories: [] };
      const shown = (section: Section) => ({
        kind: section.kind,
        title: section.title ?? section.name ?? "",
        products: [aProduct()],
      });
      return { body: { ...home, sections: sections.map(shown) } };
    }
    if (url.pathname === "/settings") {
      if (init.method === "PUT") {
        const change = JSON.parse(String(init.body));
        sent.push(change);
        const banner = change.frontPage.findIndex(({ link }: Section) => link?.startsWith("javascript:"));
        if (banner >= 0) {
          const message = "Section no. 2: no";
          return {
            status: 400,
            body: { error: message, fields: { [`frontPage[${banner}].link`]: message } },
          };
        }
        version += 1;
      }
      const rest = { accent: null, ownMark: false, drafts: [], sameWords: "", frontPage };
      return { body: { shop: defaultShop, version, ...rest } };
    }
    if (url.pathname === "/picture") {
      return { status: 201, body: { url: "https://shop.example/picture/x.webp", width: 7, height: 7 } };
    }
    if (url.pathname === "/product/facets") {
      return { body: { all: 20, categories: [], sources: [{ name: "Croma", products: 3 }], chips: [] } };
    }
    return { body: aPage([]) };
  });
  const app = renderApp("/admin/front-page");
  const list = within(await screen.findByRole("list", { name: "Sections in their order" }));
  const order = () => list.queryAllByRole("listitem").map((row) => row.querySelector("b")?.textContent);
  const save = async () => app.user.click(screen.getByRole("button", { name: "Save" }));
  return { ...app, sent, previewed, list, order, save };
}

function inPreview(): HTMLElement {
  const frame = screen.getByTitle<HTMLIFrameElement>("Preview of the home page");
  return frame.contentDocument?.body as HTMLElement;
}

it("begins with the usual page, and sends none for it", async () => {
  const { user, order, sent, previewed, save } = await open([]);
  expect(order()).toEqual(["Best deals", "Categories"]);
  await waitFor(() => expect(previewed).toEqual([[]]));
  await user.selectOptions(screen.getByLabelText("New section"), "Newest");
  await user.click(screen.getByRole("button", { name: "Add section" }));
  expect(order()).toEqual(["Best deals", "Categories", "Newest"]);
  await save();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    version: 3,
    frontPage: [{ kind: "picks", deals: 5 }, { kind: "categories" }, NEWEST],
  });
  await user.click(screen.getByRole("button", { name: "Start over with the default page" }));
  await save();
  await waitFor(() => expect(sent[1]).toEqual({ version: 4, frontPage: [] }));
});

it("moves a section by its buttons, which keep the focus", async () => {
  const { user, order, list } = await open([TEXT, NEWEST, BOOKS]);
  await user.click(list.getByRole("button", { name: "Move Category “Books” up" }));
  expect(order()).toEqual(["Text “Hello”", "Category “Books”", "Newest"]);
  const up = list.getByRole("button", { name: "Move Category “Books” up" });
  await waitFor(() => expect(up).toHaveFocus());
  expect(screen.getByText("Category “Books” is number 2 of 3")).toBeInTheDocument();
  await user.keyboard("{Enter}");
  expect(order()[0]).toBe("Category “Books”");
  // The button up is disabled now.
  await waitFor(() => expect(list.getByRole("button", { name: "Move Category “Books” down" })).toHaveFocus());
});

it("moves a section by dragging", async () => {
  const { order, list } = await open([TEXT, NEWEST, BOOKS]);
  const [first, , last] = list.getAllByRole("listitem");
  const dataTransfer = { setData: () => undefined, effectAllowed: "" };
  fireEvent.dragStart(within(first as HTMLElement).getByText("⠿"), { dataTransfer });
  fireEvent.dragOver(last as HTMLElement, { dataTransfer });
  expect(order()).toEqual(["Newest", "Category “Books”", "Text “Hello”"]);
});

it("previews what is not saved", async () => {
  const { user, list, sent } = await open([TEXT, NEWEST]);
  await user.click(list.getByRole("button", { name: "Change Newest" }));
  await user.type(list.getByLabelText("Title"), "Fresh");
  await waitFor(() =>
    expect(within(inPreview()).getByRole("heading", { name: "Fresh", hidden: true })).toBeVisible(),
  );
  await user.click(list.getByRole("button", { name: "Remove Text “Hello”" }));
  await waitFor(() => expect(within(inPreview()).queryByText("Hello")).toBeNull());
  expect(sent).toEqual([]);
});

it("uploads the picture of a banner, and shows a refused link at its field", async () => {
  const { user, list, sent, save } = await open([TEXT]);
  await user.selectOptions(screen.getByLabelText("New section"), "Banner");
  await user.click(screen.getByRole("button", { name: "Add section" }));
  const picture = new File(["x"], "sale.jpg", { type: "image/jpeg" });
  await user.upload(list.getByLabelText(/^Picture from this device/), picture);
  await waitFor(() =>
    expect(list.getByLabelText("Address of the picture")).toHaveValue("https://shop.example/picture/x.webp"),
  );
  await user.type(list.getByLabelText("Description of the picture"), "Sale");
  await user.type(list.getByLabelText("Link"), "javascript:1");
  await user.click(list.getByRole("button", { name: "Change Banner" }));
  await save();
  expect(await list.findByText("Section no. 2: no")).toBeVisible();
  expect(list.getByLabelText("Link")).toHaveAttribute("aria-invalid", "true");
  const [{ frontPage } = {}] = sent;
  expect(frontPage).toEqual([
    TEXT,
    { kind: "banner", picture: "https://shop.example/picture/x.webp", alt: "Sale", link: "javascript:1" },
  ]);
});
