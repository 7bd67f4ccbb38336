// Mirrored by src/http/pages/details.rs

import { useRef, useState } from "react";
import type { Product } from "../../api/products";
import { ProductPicture } from "../../product/product-picture";

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
        className="gallery"
      >
        {pictures.map((address, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one address may stand twice
          <li key={index}>
            <ProductPicture
              src={address}
              alt={pictures.length > 1 ? `${product.title}, picture ${index + 1}` : product.title}
              category={product.category}
              place={index === 0 ? "first" : "below"}
            />
          </li>
        ))}
      </ul>
      {pictures.length > 1 && (
        <ul className="thumbs needs-script">
          {pictures.map((address, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one address may stand twice
            <li key={index}>
              <button
                type="button"
                aria-label={`Show picture ${index + 1} of ${pictures.length}`}
                aria-current={index === shown}
                onClick={() => show(index)}
              >
                <ProductPicture src={address} alt="" category={product.category} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
