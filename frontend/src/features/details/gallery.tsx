import enlarge from "icon:maximize-2";
import { lazy, Suspense, useRef, useState } from "react";
import type { Tile } from "../../api/types";
import { StagedPicture } from "../../product/card/floor";
import { ProductPicture } from "../../product/product-picture";
import { enlargePicture, pictureAlt, picturesTitle, showPicture } from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { Icon } from "../../ui/icon";

const Lightbox = lazy(() => import("./lightbox"));

interface GalleryProps {
  product: Pick<Tile, "_id" | "title" | "category" | "verdict">;
  pictures: readonly string[];
}

/** The pictures in a row: swiped on phones, chosen by thumbnails elsewhere. */
export function Gallery({ product, pictures }: GalleryProps) {
  const [shown, setShown] = useState(0);
  const [large, setLarge] = useState(false);
  const strip = useRef<HTMLUListElement>(null);
  const several = pictures.length > 1;
  const alt = (index: number) =>
    several ? fill(pictureAlt, { title: product.title, number: index + 1 }) : product.title;
  const show = (index: number) => {
    setShown(index);
    strip.current?.scrollTo({ left: index * strip.current.clientWidth });
  };
  return (
    <section aria-label={picturesTitle} className="pictures" data-several={several ? "" : undefined}>
      <div className="pictures-frame">
        <ul
          ref={strip}
          // A scroll container must be scrollable by keyboard.
          tabIndex={several ? 0 : undefined}
          onScroll={({ currentTarget: list }) => setShown(Math.round(list.scrollLeft / list.clientWidth))}
          className="gallery"
        >
          {pictures.map((address, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one address may stand twice
            <li key={index}>
              <StagedPicture
                product={product}
                id={product._id}
                src={address}
                alt={alt(index)}
                isFirst={index === 0}
                sizes="(width >= 64rem) 40rem, 100vw"
              />
            </li>
          ))}
        </ul>
        {several && <p className="counter needs-script">{`${shown + 1} / ${pictures.length}`}</p>}
        <button
          type="button"
          className="enlarge needs-script"
          aria-label={enlargePicture}
          onClick={() => setLarge(true)}
        >
          <Icon of={enlarge} />
        </button>
      </div>
      {several && (
        <ul className="thumbs needs-script">
          {pictures.map((address, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one address may stand twice
            <li key={index}>
              <button
                type="button"
                aria-label={fill(showPicture, { number: index + 1, count: pictures.length })}
                aria-current={index === shown}
                onClick={() => show(index)}
              >
                <ProductPicture src={address} alt="" category={product.category} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {large && (
        <Suspense>
          <Lightbox
            pictures={pictures}
            shown={shown}
            alt={alt(shown)}
            onShow={show}
            onClose={() => setLarge(false)}
          />
        </Suspense>
      )}
    </section>
  );
}
