import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Queue, QueuedDraft } from "../../../api/types";
import { aUser, fakeServer } from "../../../test/fake-server";
import { renderApp } from "../../../test/render-app";

function aDraft(id: string, rest: Partial<QueuedDraft>): QueuedDraft {
  return {
    _id: id,
    title: `Lamp ${id}`,
    image: "",
    category: "Home",
    source: "Amazon",
    finalPrice: 399,
    ...rest,
  };
}

const QUEUE: Queue = {
  data: [
    aDraft("a", { at: "2036-11-22T08:50:00.000Z" }),
    aDraft("b", { at: "2036-11-22T09:05:00.000Z" }),
    aDraft("c", { waits: "Waits for its start, 3 Dec, 09:00." }),
  ],
  perHour: 4,
  from: "09:00",
  to: "21:00",
  paused: false,
  everyChannel: true,
  channels: [],
  version: 3,
};

function openQueue(queue: Queue = QUEUE) {
  localStorage.setItem("token", "a-token");
  const sent: { method: string; path: string; body: unknown }[] = [];
  fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "editor" }) } };
    }
    if (url.pathname.startsWith("/queue") && init.method !== undefined && init.method !== "GET") {
      const body = init.body === undefined ? undefined : JSON.parse(String(init.body));
      sent.push({ method: String(init.method), path: url.pathname, body });
    }
    return { body: queue };
  });
  return { ...renderApp("/admin/queue"), sent };
}

const rows = async () => {
  const list = await screen.findByRole("list", { name: "Drafts in their order" });
  return within(list).getAllByRole("listitem");
};

it("says when each draft goes live, and what one waits for", async () => {
  openQueue();
  const [first, second, third] = await rows();
  expect(first).toHaveTextContent(/next at 22 Nov 2036 14:20 · ₹399/);
  expect(second).toHaveTextContent(/Lamp bat 22 Nov 2036 14:35/);
  expect(third).toHaveTextContent("Waits for its start, 3 Dec, 09:00.");
});

it("is ordered by buttons, which keep the focus", async () => {
  const { user, sent } = openQueue();
  await user.click(await screen.findByRole("button", { name: "Move “Lamp b” up" }));
  await waitFor(() =>
    expect(sent).toEqual([{ method: "PUT", path: "/queue", body: { order: ["b", "a", "c"] } }]),
  );
  expect(screen.getByText("“Lamp b” is number 1 of 3")).toBeInTheDocument();
  expect(document.activeElement).toHaveAccessibleName(/^Move “Lamp b”/);
});

it("is ordered by dragging, and saved when the row is dropped", async () => {
  const { sent } = openQueue();
  const [first, second] = await rows();
  const dataTransfer = { setData: () => undefined };
  const grip = first?.querySelector("[draggable]") as Element;
  fireEvent.dragStart(grip, { dataTransfer });
  fireEvent.dragOver(second as Element, { dataTransfer });
  expect((await rows())[0]).toHaveTextContent(/Lamp b.*next at 22 Nov 2036 14:20/);
  expect(sent).toEqual([]);
  fireEvent.dragEnd(grip, { dataTransfer });
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ order: ["b", "a", "c"] }]));
});

it("is paused, changed with the version that was seen, and left by a draft", async () => {
  const { user, sent } = openQueue();
  await user.click(await screen.findByRole("button", { name: "Pause" }));
  const perHour = screen.getByLabelText("Drafts an hour");
  await user.clear(perHour);
  await user.type(perHour, "0");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Enter a whole number from 1 to 60.")).toBeVisible();
  await user.clear(perHour);
  await user.type(perHour, "6");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await user.click(screen.getByRole("button", { name: "Remove “Lamp a”" }));
  await waitFor(() => expect(sent).toHaveLength(3));
  const rules = { perHour: 6, from: "09:00", to: "21:00", everyChannel: true, channels: [], version: 3 };
  expect(sent.map(({ method, path, body }) => [method, path, body])).toEqual([
    ["PUT", "/queue", { paused: true }],
    ["PUT", "/queue", rules],
    ["DELETE", "/queue/a", undefined],
  ]);
});
