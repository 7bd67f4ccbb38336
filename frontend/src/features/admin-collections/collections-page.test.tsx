import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Collection, Collections } from "../../api/types";
import { aPage, aProduct, aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const BASE = { text: "", picture: "", rule: null, products: [], onHome: false, inMenu: false, version: 7 };

function openCollections(data: Collection[]) {
  localStorage.setItem("token", "a-token");
  const sent: { method: string; address: string; body: unknown }[] = [];
  fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname === "/product/tags") {
      return { body: { data: [{ name: "Diwali", products: 3 }] } };
    }
    if (url.pathname.startsWith("/product/product/")) {
      const id = url.pathname.split("/").at(-1) ?? "";
      return { body: { product: aProduct({ _id: id, title: `Deal ${id}` }) } };
    }
    if (url.pathname.startsWith("/product/")) {
      return { body: aPage([aProduct({ _id: "c", title: "Deal c" })]) };
    }
    if (init.method !== undefined && init.method !== "GET") {
      const body = init.body === undefined ? undefined : JSON.parse(String(init.body));
      sent.push({ method: init.method, address: url.pathname, body });
    }
    return { body: { data } satisfies Collections };
  });
  return { ...renderApp("/admin/collections"), sent };
}

const CHOSEN: Collection = {
  ...BASE,
  slug: "best",
  name: "Best",
  products: ["a", "b"],
  total: 2,
  runs: true,
};

it("adds a collection by a rule, with a tag in use", async () => {
  const { user, sent } = openCollections([]);
  const form = within(await screen.findByRole("region", { name: "New collection" }));
  await user.type(form.getByLabelText("Name"), "Under 499");
  await user.click(await form.findByRole("button", { name: "Add the tag Diwali" }));
  await user.type(form.getByLabelText("Highest price"), "499");
  expect(await form.findByText("1 deal now")).toBeVisible();
  await user.click(form.getByLabelText("On the home page"));
  await user.click(form.getByRole("button", { name: "Add collection" }));
  expect(await screen.findByText("“Under 499” is added")).toBeVisible();
  expect(sent).toEqual([
    {
      method: "POST",
      address: "/collection",
      body: {
        ...{ name: "Under 499", slug: "", text: "", picture: "", startsAt: "", endsAt: "" },
        ...{ onHome: true, inMenu: false, rule: "maxPrice=499&tag=Diwali", products: [] },
      },
    },
  ]);
});

it("says once, at the fields, that a collection needs a rule, and takes sellers with commas between them", async () => {
  const { user, sent } = openCollections([]);
  const form = within(await screen.findByRole("region", { name: "New collection" }));
  await user.type(form.getByLabelText("Name"), "Both");
  await user.click(form.getByRole("button", { name: "Add collection" }));
  expect(await form.findAllByRole("alert")).toSatisfy((alerts: HTMLElement[]) => {
    const texts = alerts.map(({ textContent }) => textContent).filter(Boolean);
    return texts.length === 1 && texts[0] === "Fill in at least one of these fields.";
  });
  expect(sent).toEqual([]);
  await user.type(form.getByLabelText("Seller"), "Amazon, Croma");
  await user.click(form.getByRole("button", { name: "Add collection" }));
  expect(await screen.findByText("“Both” is added")).toBeVisible();
  expect(sent[0]?.body).toMatchObject({ rule: "source=Amazon&source=Croma" });
});

it("orders chosen deals and adds one that was searched for", async () => {
  const { user, sent } = openCollections([CHOSEN]);
  await user.click(await screen.findByRole("button", { name: "Change Best" }));
  await user.click(await screen.findByRole("button", { name: "Move Deal b up" }));
  const row = within(screen.getByRole("region", { name: "All collections" }));
  await user.type(row.getByLabelText("Find deals to add"), "deal");
  await user.click(await row.findByRole("button", { name: "Add Deal c" }));
  await user.click(row.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("“Best” is changed")).toBeVisible();
  expect(sent[0]).toMatchObject({
    method: "PUT",
    address: "/collection/best",
    body: { rule: "", products: ["b", "a", "c"], version: 7 },
  });
});

it("deletes a collection after a question", async () => {
  const { user, sent } = openCollections([CHOSEN]);
  await user.click(await screen.findByRole("button", { name: "Delete Best" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Delete" }));
  expect(await screen.findByText("“Best” is deleted")).toBeVisible();
  expect(sent).toEqual([{ method: "DELETE", address: "/collection/best", body: undefined }]);
});
