import { useRef, useState } from "react";
import type { Product } from "../../api/products";
import { ProductPicture } from "../../product/product-picture";
import { classNames } from "../../ui/class-names";

/** The pictures side by side: swiped through on a phone, chosen by thumbnails elsewhere. */
export function Gallery({ product }: { product: Product }) {
  const [shown, setShown] = useState(0);
  const strip = useRef<HTMLUListElement>(null);
  const pictures = product.images;
  const show = (index: number) => {
    setShown(index);
    strip.current?.scrollTo({ left: index * strip.current.clientWidth });
  };
  return (
    <section aria-label="Pictures">
      <ul
        ref={strip}
        // What scrolls must be scrollable by keyboard too.
        tabIndex={pictures.length > 1 ? 0 : undefined}
        onScroll={({ currentTarget: list }) => setShown(Math.round(list.scrollLeft / list.clientWidth))}
        className="-mx-4 flex snap-x snap-mandatory overflow-x-auto [scrollbar-width:none] wide:mx-0 wide:rounded"
      >
        {pictures.map((address, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one address may stand twice
          <li key={index} className="w-full shrink-0 snap-center">
            <ProductPicture
              src={address}
              alt={pictures.length > 1 ? `${product.title}, picture ${index + 1}` : product.title}
              category={product.category}
              place={index === 0 ? "first" : "below"}
              className="aspect-4/3 max-h-96 w-full rounded-none wide:max-h-none wide:rounded"
            />
          </li>
        ))}
      </ul>
      {pictures.length > 1 && (
        <ul className="flex flex-wrap gap-1 pt-2 wide:gap-2 noscript:hidden print:hidden">
          {pictures.map((address, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one address may stand twice
            <li key={index}>
              <button
                type="button"
                aria-label={`Show picture ${index + 1} of ${pictures.length}`}
                aria-current={index === shown}
                onClick={() => show(index)}
                className={classNames(
                  "block overflow-hidden rounded border",
                  index === shown ? "border-accent" : "border-line hover:border-ink-3",
                )}
              >
                <ProductPicture
                  src={address}
                  alt=""
                  category={product.category}
                  className="size-11 rounded-none wide:size-16"
                />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
