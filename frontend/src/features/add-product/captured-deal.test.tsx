import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { aPage, aProduct, aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const WHOLE = {
  title: "Kavrel AirBud 141 Earbuds",
  url: "https://www.amazon.in/dp/B0ABCD1234",
  price: "1299",
  mrp: "4490",
  description: "Plays for 42 hours with its case.",
  image: "https://pictures.example/earbuds.jpg",
  rating: "3.9",
  ratings: "124269",
};

beforeEach(() => localStorage.setItem("token", "a-token"));

const fragment = (fields: Record<string, string>) => `/add-product#${new URLSearchParams(fields)}`;

/** Opens an address; similar deals are electronics, and `add` answers each request to add one. */
function open(address: string, add = () => ({ status: 201, body: { product: aProduct() } })) {
  const server = fakeServer((url, { method }) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname === "/product/category-like") {
      return { body: { category: "Electronics", products: 7 } };
    }
    if (url.pathname === "/product/add-product") {
      return add();
    }
    const one = url.pathname.startsWith("/product/product/") || method === "PUT";
    return { body: one ? { product: aProduct() } : aPage([]) };
  });
  const sent = (path: string) =>
    server.requests.flatMap(({ url, init }) =>
      url.pathname === path ? [JSON.parse(String(init.body))] : [],
    );
  return { ...renderApp(address), sent, requests: server.requests };
}

it("adds a complete captured deal with one press", async () => {
  const { user, sent, location } = open(fragment(WHOLE));
  const came = await screen.findByRole("region", { name: "Captured deal" });
  await waitFor(() => expect(came).toHaveTextContent("From Amazon. Check what is filled in."));
  await waitFor(() => expect(screen.getByLabelText("Category")).toHaveValue("Electronics"));
  expect(screen.getByLabelText("Category")).toHaveAccessibleDescription("Suggested by 7 similar deals");
  await waitFor(() => expect(came).toHaveTextContent("Everything is filled in."));
  expect(came).toHaveFocus();
  await user.click(screen.getByRole("button", { name: "Add product" }));
  await waitFor(() => expect(location().pathname).toBe("/details/p1"));
  expect(sent("/product/add-product")).toMatchObject([
    { title: WHOLE.title, price: 4490, finalPrice: 1299, discount: null, source: "Amazon", status: "live" },
  ]);
});

it("does not save a captured deal by itself", async () => {
  const { requests, location } = open(`/add-product?${new URLSearchParams({ ...WHOLE, description: "" })}`);
  expect(await screen.findByLabelText("Title")).toHaveValue(WHOLE.title);
  await waitFor(() => expect(location().search).toBe(""));
  expect(screen.getByLabelText("Title")).toHaveValue(WHOLE.title);
  await waitFor(() => expect(screen.getByLabelText("Description")).toHaveFocus());
  expect(
    await screen.findByText(
      (_, it) => it?.tagName === "P" && it.textContent === "Still to fill in: Description.",
    ),
  ).toBeVisible();
  // How a link would be stored is asked by POST, because a query would reach logs.
  const others = requests.filter(({ url }) => url.pathname !== "/product/link");
  expect(others.every(({ init }) => (init.method ?? "GET") === "GET")).toBe(true);
  expect(Object.keys(localStorage)).toEqual(expect.not.arrayContaining([expect.stringContaining("draft")]));
});

it("leads from each missing field's name to the field", async () => {
  const { user } = open(fragment({ ...WHOLE, description: "", image: "" }));
  const came = within(await screen.findByRole("region", { name: "Captured deal" }));
  for (const name of ["Picture 1", "Description"]) {
    await user.click(await came.findByRole("button", { name }));
    expect(screen.getByRole("textbox", { name: new RegExp(`^${name}`) })).toHaveFocus();
  }
});

it("keeps the captured deal during a sign-in", async () => {
  localStorage.clear();
  const { user, requests } = open(fragment(WHOLE));
  const email = await screen.findByLabelText("Email");
  fakeServer((url) => {
    if (url.pathname === "/user/sign-in") {
      return { body: { token: "new" } };
    }
    return { body: url.pathname.startsWith("/user/me") ? { user: aUser({ Role: "admin" }) } : aPage([]) };
  });
  await user.type(email, "asha@example.com");
  await user.type(screen.getByLabelText("Password"), "tiger-lamp-42");
  await user.click(screen.getByRole("button", { name: "Login" }));
  expect(await screen.findByLabelText("Title")).toHaveValue(WHOLE.title);
  expect(screen.getByLabelText("Affiliate link")).toHaveValue(WHOLE.url);
  expect(requests.some(({ url }) => url.href.includes("Kavrel"))).toBe(false);
});

it("adds another deal as a draft if the last one was a draft", async () => {
  const { user, sent } = open(fragment(WHOLE));
  await waitFor(() => expect(screen.getByLabelText("Category")).toHaveValue("Electronics"));
  await user.selectOptions(screen.getByLabelText("Status"), "draft");
  await user.click(screen.getByRole("button", { name: "Save and add another" }));
  await waitFor(() => expect(screen.getByLabelText("Title")).toHaveValue(""));
  expect(screen.getByLabelText("Title")).toHaveFocus();
  expect(screen.getByLabelText("Status")).toHaveValue("draft");
  expect(sent("/product/add-product")).toMatchObject([{ status: "draft" }]);
  expect(screen.queryByRole("region", { name: "Captured deal" })).toBeNull();
});

it("offers to update the price of an existing deal", async () => {
  const { user, sent, location } = open(fragment(WHOLE), () => ({
    status: 409,
    body: { error: "It is there already.", id: "p1" } as never,
  }));
  await waitFor(() => expect(screen.getByLabelText("Category")).toHaveValue("Electronics"));
  await user.click(screen.getByRole("button", { name: "Add product" }));
  const question = await screen.findByRole("region", { name: "This deal already exists." });
  await waitFor(() => expect(question).toHaveTextContent("Old price₹44,444.16₹1,23,456.00"));
  expect(question).toHaveTextContent("New price₹1,299.00₹4,490.00");
  await user.click(within(question).getByRole("button", { name: "Update the price of that one" }));
  await waitFor(() => expect(location().pathname).toBe("/details/p1"));
  expect(sent("/product/update-product/p1")).toMatchObject([
    { title: "Braided USB-C cable", price: 4490, finalPrice: 1299, updatedAt: aProduct().updatedAt },
  ]);
});

it("lets one of three links be chosen", async () => {
  const text = "Two: https://amzn.in/d/1 and https://fkrt.it/2 and https://www.croma.com/p/3";
  const { user } = open(fragment({ text }));
  await user.click(await screen.findByRole("button", { name: "https://fkrt.it/2" }));
  expect(screen.getByLabelText("Affiliate link")).toHaveValue("https://fkrt.it/2");
  expect(screen.getByLabelText("Source")).toHaveValue("Flipkart");
});

it("leads from a link to the shop itself to that deal", async () => {
  open(fragment({ text: `${window.location.origin}/details/p1` }));
  const link = await screen.findByRole("link", { name: "Open that deal" });
  expect(link).toHaveAttribute("href", "/update-product/p1");
});

it("keeps each unfinished deal, and lists it until it is removed", async () => {
  const first = open(fragment(WHOLE));
  await first.user.type(await screen.findByLabelText("Title"), "!");
  first.unmount();
  const { user } = open("/add-product");
  const link = await screen.findByRole("link", { name: WHOLE.title });
  expect(screen.getByLabelText("Title")).toHaveValue("");
  await user.click(link);
  await waitFor(() => expect(screen.getByLabelText("Title")).toHaveValue(`${WHOLE.title}!`));
  await user.click(screen.getByRole("button", { name: "Discard them" }));
  await waitFor(() => expect(screen.getByLabelText("Title")).toHaveValue(WHOLE.title));
  expect(Object.keys(localStorage)).toEqual(expect.not.arrayContaining([expect.stringContaining("draft")]));
});
