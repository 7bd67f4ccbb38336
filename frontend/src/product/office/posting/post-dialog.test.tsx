import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { aPage, aProduct, aUser, fakeServer } from "../../../test/fake-server";
import { renderApp } from "../../../test/render-app";

function openProducts(channels: object[], state: "live" | "draft" = "live") {
  localStorage.setItem("token", "a-token");
  const sent: { path: string; body: unknown }[] = [];
  fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname === "/channel/preview") {
      const { template, id } = JSON.parse(String(init.body)) as { template: string; id: string };
      const text = `${template} of ${id}\nhttps://deals.example/details/01a224133c5371df95d9912887?utm_source=telegram`;
      return { body: { text, length: text.length, most: 1024, warnings: [] } };
    }
    if (init.method === "POST") {
      const { ids } = JSON.parse(String(init.body)) as { ids: string[] };
      sent.push({ path: url.pathname, body: ids });
      const result = url.pathname === "/channel/c1/post" ? "queued" : "already";
      return { body: { data: ids.map((id) => ({ id, result, queued: true, message: "In the queue." })) } };
    }
    if (url.pathname === "/channel") {
      return { body: { data: channels, usualTemplate: "" } };
    }
    return { body: url.pathname === "/report/trends" ? {} : aPage([aProduct({ state })]) };
  });
  return { ...renderApp("/admin/products"), sent };
}

const channel = (id: string, on = true, template = "<b>Usual</b>") => ({
  id,
  name: `Channel ${id}`,
  kind: "telegram",
  on,
  template,
});

it("posts a deal from its menu to the chosen channels, and says what became of it", async () => {
  const { user, sent } = openProducts([channel("c1"), channel("c2"), channel("c3"), channel("c4", false)]);
  await user.click(await screen.findByRole("button", { name: /^More of / }));
  await user.click(screen.getByRole("menuitem", { name: "Post now" }));
  const dialog = within(screen.getByRole("dialog"));
  await user.click(await dialog.findByLabelText("Channel c3"));
  expect(dialog.queryByLabelText("Channel c4")).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Post now" }));
  expect(await dialog.findByText("Channel c1: 1 deal is on the way.")).toBeVisible();
  expect(dialog.getByText("Channel c2: 1 was posted lately or waits already.")).toBeVisible();
  expect(sent.map(({ path }) => path)).toEqual(["/channel/c1/post", "/channel/c2/post"]);
});

it("shows the post before it is sent, once for channels with the same template, with a short link", async () => {
  const { user } = openProducts([channel("c1"), channel("c2"), channel("c3", true, "Other")]);
  await user.click(await screen.findByRole("button", { name: /^More of / }));
  await user.click(screen.getByRole("menuitem", { name: "Post now" }));
  const both = await screen.findByRole("region", { name: "The post in Channel c1, Channel c2" });
  expect(await within(both).findByText("Usual")).toHaveProperty("tagName", "B");
  expect(both).toHaveTextContent("Usual of p1 deals.example/details/01a224133c5371…");
  expect(within(both).getByRole("link")).toHaveAttribute(
    "href",
    "https://deals.example/details/01a224133c5371df95d9912887?utm_source=telegram",
  );
  const other = screen.getByRole("region", { name: "The post in Channel c3" });
  expect(await within(other).findByText(/Other of/)).toBeVisible();
  await user.click(screen.getByLabelText("Channel c3"));
  expect(other).not.toBeInTheDocument();
});

it("leads to the channels where there is none, and posts several deals", async () => {
  const { user } = openProducts([]);
  await user.click(await screen.findByRole("checkbox", { name: "Select Braided USB-C cable" }));
  await user.click(screen.getByRole("button", { name: "More for the selected deals" }));
  await user.click(screen.getByRole("menuitem", { name: "Post now" }));
  expect(await screen.findByRole("link", { name: "Add one under Posts, Channels" })).toBeVisible();
});

it("puts a draft in the queue from its menu", async () => {
  const { user, sent } = openProducts([], "draft");
  await user.click(await screen.findByRole("button", { name: /^More of / }));
  await user.click(screen.getByRole("menuitem", { name: "Add to queue" }));
  expect(await screen.findByText("In the queue.")).toBeVisible();
  expect(sent.map(({ path }) => path)).toEqual(["/queue"]);
});
