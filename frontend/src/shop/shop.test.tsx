import { act, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { defaultShop, ShopMark, ShopProvider, useShowShop } from "./shop";

it("shows an own logo in place of the letter, which other changes keep", () => {
  let show: ReturnType<typeof useShowShop> = () => undefined;
  const Page = () => {
    show = useShowShop();
    return <ShopMark />;
  };
  const { container } = render(
    <ShopProvider initial={{ ...defaultShop, letter: "D" }}>
      <Page />
    </ShopProvider>,
  );
  act(() => show({ categories: [] }));
  expect(screen.getByText("D")).toBeInTheDocument();
  act(() => show({ letter: undefined, mark: "/mark/1.png" }));
  expect(container.querySelector("img")).toHaveAttribute("src", "/mark/1.png");
});
