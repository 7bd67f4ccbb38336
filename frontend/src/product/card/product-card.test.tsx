import { fireEvent, render } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { expect, it } from "vitest";
import { cardOf } from "../../api/products/product";
import { aProduct, fakeServer } from "../../test/fake-server";
import { ProductCard } from "./product-card";

/** Shows a card whose picture fails to load, and returns the requests that it sends, and whether they outlive the page. */
function failedPicture(preview: boolean) {
  const server = fakeServer(() => ({ body: {} }));
  const images = [`https://pictures.example/${preview}.jpg`];
  const { container } = render(
    <MemoryRouter>
      <ProductCard product={cardOf(aProduct({ images }))} preview={preview} />
    </MemoryRouter>,
  );
  fireEvent.error(container.querySelector("img") as HTMLImageElement);
  return server.requests.map(({ url, init }) => [url.pathname, init.keepalive]);
}

it("takes no pride in a discount that the price history speaks against", () => {
  const card = cardOf(aProduct({ price: 1000, discount: 40, finalPrice: 600 }));
  const discounts = (["lowest_90", "new", "usual", "list_price_misleads", "higher"] as const).map((kind) => {
    const { container } = render(
      <MemoryRouter>
        <ProductCard product={{ ...card, verdict: { kind, words: "Usual price" } }} preview />
      </MemoryRouter>,
    );
    expect(container.querySelector(".price s")).toHaveTextContent("₹1,000.00");
    return container.querySelector(".off")?.textContent;
  });
  expect(discounts).toEqual(["−40%", "−40%", undefined, undefined, undefined]);
});

it("reports a picture that fails to load, but not that of a preview", () => {
  expect(failedPicture(false)).toEqual([["/product/picture-failed/p1", true]]);
  expect(failedPicture(true)).toEqual([]);
});
