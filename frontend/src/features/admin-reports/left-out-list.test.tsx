import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { fakeServer } from "../../test/fake-server";
import { LeftOutList } from "./left-out-list";

it("keeps uncounted clicks closed, and loads them when they are opened", async () => {
  const click = { at: "2026-11-28T10:00:00.000Z", title: "Mixer", reason: "A bot", agent: "" };
  const { requests } = fakeServer(() => ({
    body: { data: [click], meta: { page: 1, limit: 50, total: 1, totalPages: 1 } },
  }));
  render(<LeftOutList />);
  expect(screen.getByRole("group")).not.toHaveAttribute("open");
  expect(requests).toEqual([]);
  await userEvent.click(screen.getByText(/^Each click that was not counted/));
  expect(await screen.findByText("Mixer")).toBeVisible();
});
