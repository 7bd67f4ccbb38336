import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import type { ReadLink } from "../../api/types";
import { aPage, aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const STORED = "https://www.amazon.in/dp/B0ABCD1234?tag=x-21";

function aLink(parts: Partial<ReadLink>): ReadLink {
  return {
    link: STORED,
    seller: "Amazon",
    productId: "B0ABCD1234",
    replacedTag: null,
    keptTag: null,
    network: null,
    short: false,
    duplicateOf: null,
    ...parts,
  };
}

/** Opens the form and types a link; `read` answers each question about one. */
async function typeLink(link: string, read: (path: string, link: string) => unknown) {
  localStorage.setItem("token", "a-token");
  const server = fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname === "/product/link" || url.pathname === "/product/resolve-link") {
      const { link } = JSON.parse(String(init.body)) as { link: string };
      return read(url.pathname, link) as ReturnType<Parameters<typeof fakeServer>[0]>;
    }
    return { body: url.pathname === "/product/by-link" ? { product: null } : aPage([]) };
  });
  const app = renderApp("/add-product");
  await app.user.type(await screen.findByLabelText("Affiliate link"), link);
  await app.user.tab();
  return { ...app, server };
}

it("fills in the seller and says which tag is replaced", async () => {
  await typeLink("https://www.amazon.in/x/dp/B0ABCD1234?tag=other-21", () => ({
    body: aLink({ replacedTag: "other-21" }),
  }));
  expect(await screen.findByText("The tag other-21 is replaced by yours.")).toBeVisible();
  expect(screen.getByText(`Saved as ${STORED}`)).toBeVisible();
  await waitFor(() => expect(screen.getByLabelText("Source")).toHaveValue("Amazon"));
});

it("warns of a link that keeps somebody else's tag, and leads to where one's own is set", async () => {
  await typeLink("https://www.amazon.in/x/dp/B0ABCD1234?tag=other-21", (_, link) => ({
    body: aLink({ link, keptTag: "other-21" }),
  }));
  expect(await screen.findByText(/someone’s tag \(other-21\)/)).toBeVisible();
  const link = screen.getByRole("link", { name: "Set your tag for Amazon" });
  expect(link).toHaveAttribute("href", "/admin/sources");
});

it("says nothing about a link that is stored as it is", async () => {
  const link = "https://unknown.example/x";
  const { server } = await typeLink(link, () => ({ body: aLink({ link, seller: null, productId: null }) }));
  await waitFor(() => expect(server.requests.some(({ url }) => url.pathname === "/product/link")).toBe(true));
  expect(screen.queryByText(/Saved as/)).toBeNull();
  expect(screen.getByLabelText("Source")).toHaveValue("");
});

it("resolves a short link only on request", async () => {
  const short = "https://amzn.in/d/abc";
  const { user, server } = await typeLink(short, (path, link) => {
    if (path === "/product/resolve-link") {
      return { body: aLink({ link: STORED, replacedTag: "channel-21" }) };
    }
    return { body: link === short ? aLink({ link, short: true, productId: null }) : aLink({ link }) };
  });
  const button = await screen.findByRole("button", { name: "Resolve" });
  const asked = () => server.requests.filter(({ url }) => url.pathname === "/product/resolve-link");
  expect(asked()).toHaveLength(0);
  await user.click(button);
  await waitFor(() => expect(screen.getByLabelText("Affiliate link")).toHaveValue(STORED));
  expect(asked()).toHaveLength(1);
  expect(await screen.findByText("The tag channel-21 is replaced by yours.")).toBeVisible();
});

it("says why a short link was not resolved, and keeps it", async () => {
  const short = "https://amzn.in/d/abc";
  const { user } = await typeLink(short, (path) =>
    path === "/product/resolve-link"
      ? {
          status: 400,
          body: { error: "Not resolved: amzn.in did not answer in time. Open the link in your browser." },
        }
      : { body: aLink({ link: short, short: true, productId: null }) },
  );
  await user.click(await screen.findByRole("button", { name: "Resolve" }));
  expect(await screen.findByText(/did not answer in time/)).toBeVisible();
  expect(screen.getByLabelText("Affiliate link")).toHaveValue(short);
});
