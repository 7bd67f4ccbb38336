import { screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { aProduct, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";
import { bitBelow } from "./alert-button";

const HISTORY = {
  alerts: true,
  since: null,
  low30: null,
  low90: null,
  usual: null,
  figures: [],
  plot: null,
  points: [],
};
const KEYS = { p256dh: "key", auth: "secret" };

function serve(
  answer: object = { message: "You will get a message.", set: 1, leftOut: 0, asked: false },
  status = 200,
) {
  return fakeServer(({ pathname }) =>
    pathname === "/alert"
      ? { status, body: answer }
      : pathname === "/alert/key"
        ? { body: { key: "BCVx" } }
        : { body: pathname.includes("history") ? HISTORY : { product: aProduct({ finalPrice: 1_049 }) } },
  );
}

const sent = ({ requests }: ReturnType<typeof serve>) =>
  JSON.parse(String(requests.find(({ url }) => url.pathname === "/alert")?.init.body));

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "serviceWorker");
});

it("a price is suggested that is round and a bit below", () => {
  expect([1_049, 44_444.16, 99.5, 7, 1.5].map(bitBelow)).toEqual([1_000, 43_000, 96, 6, 1]);
});

it("an alert by mail is set for the product, and the shop says what is next", async () => {
  const server = serve();
  const { user } = renderApp("/details/p1");
  await user.click(await screen.findByRole("button", { name: "Tell me below ₹1,000" }));
  const price = await screen.findByLabelText("This price or less, in rupees");
  expect(price).toHaveValue(1_000);
  await user.clear(price);
  await user.type(price, "950.5");
  await user.type(screen.getByLabelText("Your email address"), "asha@example.com");
  await user.click(screen.getByRole("button", { name: "Tell me by mail" }));
  expect(await screen.findByText("You will get a message.")).toHaveAttribute("role", "status");
  expect(sent(server)).toEqual({ ids: ["p1"], target: 950.5, email: "asha@example.com" });
  expect(screen.queryByLabelText("Your email address")).toBeNull();
});

it("a refused alert says why and can be changed", async () => {
  serve({ error: "It costs ₹900.00 now. Choose a lower price, of at least ₹1." }, 400);
  const { user } = renderApp("/details/p1");
  await user.click(await screen.findByRole("button", { name: "Tell me below ₹1,000" }));
  await user.type(await screen.findByLabelText("Your email address"), "asha@example.com");
  await user.click(screen.getByRole("button", { name: "Tell me by mail" }));
  expect(await screen.findByText(/It costs ₹900.00 now/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Tell me by mail" })).toBeEnabled();
});

it("alerts for all saved deals go to this device, for so many percent less", async () => {
  const deals = ["p1", "p2"].map((id) => ({ id, title: id, image: "", category: "Audio" }));
  localStorage.setItem("saved", JSON.stringify(deals));
  const subscription = { toJSON: () => ({ endpoint: "https://push.example/1", keys: KEYS }) };
  const pushManager = { getSubscription: async () => null, subscribe: vi.fn(async () => subscription) };
  const worker = { ready: Promise.resolve({ pushManager }), getRegistration: async () => ({ pushManager }) };
  Object.defineProperty(navigator, "serviceWorker", {
    value: { ...worker, addEventListener() {}, removeEventListener() {}, startMessages() {} },
    configurable: true,
  });
  vi.stubGlobal("PushManager", class {});
  vi.stubGlobal("Notification", { requestPermission: async () => "granted" });
  const server = serve();
  const { user } = renderApp("/saved");
  await user.click(await screen.findByRole("button", { name: "Tell me when they cost less" }));
  await user.click(await screen.findByRole("button", { name: "Tell me on this device" }));
  expect(await screen.findByText("You will get a message.")).toBeVisible();
  expect(pushManager.subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: "BCVx" });
  expect(sent(server)).toEqual({
    ids: ["p1", "p2"],
    percent: 10,
    push: { endpoint: "https://push.example/1", keys: KEYS },
  });
});
