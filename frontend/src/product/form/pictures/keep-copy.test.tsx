import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { aPage, aUser, fakeServer } from "../../../test/fake-server";
import { renderApp } from "../../../test/render-app";

const ADDRESS = `https://shop.example/picture/${"0123456789abcdef".repeat(2)}-720x540.webp`;

beforeEach(() => localStorage.setItem("token", "a-token"));

function open(answer: { status: number; body: unknown }) {
  const server = fakeServer((url) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    return url.pathname === "/picture/copy" ? answer : { body: aPage([]) };
  });
  return { ...renderApp("/add-product"), requests: server.requests };
}

it("replaces a seller's picture by the copy that the shop keeps", async () => {
  const { user, requests } = open({ status: 201, body: { url: ADDRESS, width: 720, height: 540 } });
  const first = await screen.findByLabelText("Picture 1");
  expect(screen.queryByRole("button", { name: /^Keep a copy/ })).toBeNull();
  await user.type(first, "https://seller.example/1.jpg");
  await user.click(screen.getByRole("button", { name: "Keep a copy of picture 1" }));
  await waitFor(() => expect(first).toHaveValue(ADDRESS));
  expect(screen.queryByRole("button", { name: /^Keep a copy/ })).toBeNull();
  const sent = requests.find(({ url }) => url.pathname === "/picture/copy");
  expect(JSON.parse(String(sent?.init.body))).toMatchObject({ url: "https://seller.example/1.jpg" });
});

it("says why a picture was not copied, and keeps its address", async () => {
  const error = "Not copied: seller.example answered 403.";
  const body = { error, code: "invalid", fields: { url: error } };
  const { user } = open({ status: 400, body });
  const first = await screen.findByLabelText("Picture 1");
  await user.type(first, "https://seller.example/1.jpg");
  await user.click(screen.getByRole("button", { name: "Keep a copy of picture 1" }));
  expect(await screen.findByText(error)).toHaveRole("alert");
  expect(first).toHaveValue("https://seller.example/1.jpg");
});
