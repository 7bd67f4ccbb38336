import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { Loaded } from "../../ui/loaded";

it("shows what was loaded, that it is loading, or that it could not be and asks again by Retry", async () => {
  const mutate = vi.fn();
  const of = (data: string[] | undefined, error?: Error) => (
    <Loaded call={{ data, error, mutate }} failure="The keys could not be loaded">
      {(keys) => keys.join(", ")}
    </Loaded>
  );
  const { container, rerender } = render(of(undefined));
  expect(screen.getByRole("status")).toHaveTextContent("Loading...");
  rerender(of(undefined, new Error()));
  expect(container).toHaveTextContent("The keys could not be loaded");
  expect(screen.queryByRole("status")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(mutate).toHaveBeenCalledOnce();
  // Loaded data stays when a newer answer fails.
  rerender(of(["a", "b"], new Error()));
  expect(container).toHaveTextContent("a, b");
  expect(screen.queryByRole("button")).toBeNull();
});
