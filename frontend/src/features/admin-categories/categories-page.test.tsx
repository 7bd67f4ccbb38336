import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Categories, Category } from "../../api/types";
import { aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

function category(name: string, changes: Partial<Category> = {}): Category {
  return { name, slug: name.toLowerCase(), drawing: "box", ground: 1, products: 2, text: "", ...changes };
}

function openCategories(data: Category[]) {
  localStorage.setItem("token", "a-token");
  const sent: { method: string; address: string; body: unknown }[] = [];
  fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname.startsWith("/category") && init.method !== undefined && init.method !== "GET") {
      const body = init.body === undefined ? undefined : JSON.parse(String(init.body));
      sent.push({ method: init.method, address: url.pathname + url.search, body });
    }
    return { body: { data } satisfies Categories };
  });
  return { ...renderApp("/admin/categories"), sent };
}

const ALL = [category("Electronics"), category("Audio", { parent: "Electronics" }), category("Books")];

it("adds a category below another", async () => {
  const { user, sent } = openCategories(ALL);
  const form = within(await screen.findByRole("region", { name: "New category" }));
  await user.type(form.getByLabelText("Name"), "Cameras");
  await user.selectOptions(form.getByLabelText("Part of"), "Electronics");
  expect(form.getByRole("radio", { name: "package" })).toBeChecked();
  await user.click(form.getByRole("radio", { name: "camera" }));
  await user.click(form.getByRole("button", { name: "Add category" }));
  expect(await screen.findByText("“Cameras” is added")).toBeVisible();
  expect(sent).toEqual([
    {
      method: "POST",
      address: "/category",
      body: { name: "Cameras", parent: "electronics", drawing: "camera", ground: 4, text: "" },
    },
  ]);
});

it("moves a category among those beside it", async () => {
  const { user, sent } = openCategories(ALL);
  expect(await screen.findByRole("button", { name: "Move Electronics up" })).toBeDisabled();
  expect(screen.getByRole("button", { name: "Move Audio down" })).toBeDisabled();
  await user.click(screen.getByRole("button", { name: "Move Books up" }));
  expect(sent).toEqual([{ method: "PUT", address: "/category/books", body: { position: 0 } }]);
});

it("merges a category into the chosen one", async () => {
  const { user, sent } = openCategories(ALL);
  await user.click(await screen.findByRole("button", { name: "More of Audio" }));
  await user.click(screen.getByRole("menuitem", { name: "Merge into another" }));
  expect(within(screen.getByRole("dialog")).getByRole("button", { name: "Merge" })).toBeDisabled();
  await user.selectOptions(screen.getByLabelText(/^Move its deals/), "Books");
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Merge" }));
  expect(await screen.findByText("“Audio” is part of “Books”")).toBeVisible();
  expect(sent).toEqual([{ method: "DELETE", address: "/category/audio?into=books", body: undefined }]);
});
