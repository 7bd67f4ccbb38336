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
      <ProductCard product={cardOf(aProduct({ images }))} place="below" preview={preview} />
    </MemoryRouter>,
  );
  fireEvent.error(container.querySelector("img") as HTMLImageElement);
  return server.requests.map(({ url, init }) => [url.pathname, init.keepalive]);
}

it("reports a picture that fails to load, but not that of a preview", () => {
  expect(failedPicture(false)).toEqual([["/product/picture-failed/p1", true]]);
  expect(failedPicture(true)).toEqual([]);
});
