import { render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { SWRConfig, useSWRConfig } from "swr";
import { expect, it } from "vitest";
import type { Needs } from "../../api/types";
import type { RowChanges } from "../../product/office/deal-row";
import { fakeServer } from "../../test/fake-server";
import { ToDo } from "./to-do";

/** Shows what is to do; returns a function that has the server count anew. */
function show(counts: Record<string, number>) {
  let now = counts;
  let refresh = async () => {};
  fakeServer((url) => {
    const needs = Object.entries(now).map(([key, products]) => ({ key, text: key, details: "", products }));
    return { body: { data: url.pathname === "/report/needs" ? needs : [] } satisfies Needs };
  });
  const Inside = () => {
    const { mutate } = useSWRConfig();
    refresh = async () => void (await mutate(() => true));
    return null;
  };
  const view = render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <MemoryRouter>
        <ToDo changes={{} as RowChanges} />
        <Inside />
      </MemoryRouter>
    </SWRConfig>,
  );
  const count = async (counts: Record<string, number>) => {
    now = counts;
    await refresh();
  };
  return { ...view, count };
}

it("counts down while one works, and keeps apart what comes meanwhile", async () => {
  const { count, unmount } = show({ duplicate: 437, picture: 3 });
  expect(await screen.findByText("440 to check")).toBeVisible();
  await count({ duplicate: 435, picture: 9, ending: 1 });
  expect(await screen.findByText("438 + 7 new to check")).toBeVisible();
  expect(screen.getByRole("link", { name: "Possible duplicates 435" })).toBeVisible();
  expect(screen.getByRole("link", { name: "No picture 3 + 6 new" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Ends soon 1 new" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Start with “Ends soon”" })).toBeVisible();
  // A reload of the page is no new beginning.
  unmount();
  show({ duplicate: 430, picture: 9 });
  expect(await screen.findByText("433 + 6 new to check")).toBeVisible();
});

it("lists money before pictures", async () => {
  show({ picture: 1, duplicate: 2, price: 3 });
  await waitFor(() => expect(screen.getByRole("list", { name: "To check, by reason" })).toBeVisible());
  expect(screen.getAllByRole("link").map(({ textContent }) => textContent)).toEqual([
    "Old price 3",
    "Possible duplicates 2",
    "No picture 1",
    "Start with “Old price”",
  ]);
});
