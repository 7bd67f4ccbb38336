import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { aPage, aUser, fakeServer } from "../../../test/fake-server";
import { renderApp } from "../../../test/render-app";

const ADDRESS = `https://shop.example/picture/${"0123456789abcdef".repeat(2)}-720x540.webp`;

beforeEach(() => localStorage.setItem("token", "a-token"));

function open() {
  let number = 0;
  const server = fakeServer((url) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname === "/picture") {
      number += 1;
      return number === 2
        ? { status: 400, body: { error: "This picture is animated.", code: "invalid_file" } }
        : { status: 201, body: { url: ADDRESS.replace("0", String(number)), width: 720, height: 540 } };
    }
    return { body: aPage([]) };
  });
  return { ...renderApp("/add-product"), requests: server.requests };
}

const photo = (name: string) => new File(["photo"], name, { type: "image/jpeg" });

it("adds chosen pictures to the form and names the one that was refused", async () => {
  const { user, requests } = open();
  const input = await screen.findByLabelText(/^Pictures from this device/);
  await user.upload(input, [photo("a.jpg"), photo("b.jpg"), photo("c.jpg")]);
  expect(await screen.findByText("b.jpg: This picture is animated.")).toBeVisible();
  await waitFor(() => expect(screen.getByLabelText("Picture 2")).toHaveValue(ADDRESS.replace("0", "3")));
  expect(screen.getByLabelText("Picture 1")).toHaveValue(ADDRESS.replace("0", "1"));
  const sent = requests.filter(({ url }) => url.pathname === "/picture");
  expect(sent.map(({ init }) => init.body)).toEqual([
    expect.any(FormData),
    expect.any(FormData),
    expect.any(FormData),
  ]);
});

it("keeps an address that was typed before a pasted picture", async () => {
  const { user } = open();
  const first = await screen.findByLabelText("Picture 1");
  await user.type(first, "https://a.example/1.jpg");
  fireEvent.paste(document.body, { clipboardData: { files: [photo("pasted.jpg")] } });
  await waitFor(() => expect(screen.getByLabelText("Picture 2")).toHaveValue(ADDRESS.replace("0", "1")));
  expect(first).toHaveValue("https://a.example/1.jpg");
});

it("adds a dropped picture", async () => {
  open();
  const area = (await screen.findByLabelText(/^Pictures from this device/)).closest("div");
  fireEvent.drop(area ?? document.body, { dataTransfer: { files: [photo("dropped.jpg")] } });
  await waitFor(() => expect(screen.getByLabelText("Picture 1")).toHaveValue(ADDRESS.replace("0", "1")));
});
