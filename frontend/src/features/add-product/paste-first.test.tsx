import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { storeDraft } from "../../product/form/draft";
import { EMPTY_PRODUCT } from "../../schemas/product";
import { aPage, aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const LINK = "https://www.flipkart.com/kavrel/p/itm1?pid=X";

beforeEach(() => localStorage.setItem("token", "a-token"));

function open(address = "/add-product") {
  fakeServer(({ pathname }) => {
    if (pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (pathname === "/product/link") {
      return {
        body: {
          link: LINK,
          seller: "Flipkart",
          network: null,
          replacedTag: null,
          keptTag: null,
          short: false,
        },
      };
    }
    return { body: pathname === "/product/category-like" ? { category: null, products: 0 } : aPage([]) };
  });
  return renderApp(address);
}

const bar = () => screen.getByLabelText("Paste a link or message");
const link = () => screen.getByLabelText("Affiliate link");

it("fills an empty form with all that a pasted text says", async () => {
  const { user } = open();
  await user.click(await screen.findByLabelText("Paste a link or message"));
  await user.paste(`Kavrel earbuds ${LINK}`);
  expect(await screen.findByText("From Flipkart. Check what is filled in.")).toBeVisible();
  expect(screen.getByLabelText("Title")).toHaveValue("Kavrel earbuds");
  expect(link()).toHaveValue(LINK);
  expect(screen.getByLabelText("Source")).toHaveValue("Flipkart");
  expect(screen.queryByLabelText("Paste a link or message")).toBeNull();
});

it("fills only the link and the seller of a form with content", async () => {
  const { user, location } = open();
  await user.type(await screen.findByLabelText("Title"), "My own title");
  await user.type(bar(), `Kavrel earbuds (${LINK}).`);
  await user.click(screen.getByRole("button", { name: "Fill in" }));
  await waitFor(() => expect(link()).toHaveFocus());
  expect(link()).toHaveValue(LINK);
  await waitFor(() => expect(screen.getByLabelText("Source")).toHaveValue("Flipkart"));
  expect(screen.getByLabelText("Title")).toHaveValue("My own title");
  expect(bar()).not.toBeVisible();
  expect(location().pathname).toBe("/add-product");
});

it("restores the pasted text of a draft without a link", async () => {
  storeDraft("draft:add-product", { values: { ...EMPTY_PRODUCT, title: "Half a deal" }, version: "" });
  const { user } = open();
  await user.type(await screen.findByLabelText("Paste a link or message"), "https://half");
  await user.type(link(), "h");
  expect(bar()).not.toBeVisible();
  await user.clear(link());
  expect(bar()).toBeVisible();
  expect(bar()).toHaveValue("https://half");
  await user.type(bar(), "{Enter}");
  await waitFor(() => expect(link()).toHaveValue("https://half"));
  expect(screen.getByLabelText("Title")).toHaveValue("Half a deal");
});
