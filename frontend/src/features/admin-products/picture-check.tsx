import { useEffect, useState } from "react";
import { pictureLoads } from "../../api/pictures";
import type { Product } from "../../api/types";
import { counted } from "../../lib/rupees";

/** Loads all pictures of some products, and reports those that load. */
export function PictureCheck({ products }: { products: Product[] | undefined }) {
  const [failed, setFailed] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    setFailed(new Set());
    const tried = (products ?? []).flatMap(({ _id, images }) =>
      images.map((address) => {
        const image = new Image();
        image.referrerPolicy = "no-referrer";
        image.onload = () => pictureLoads(_id, address);
        image.onerror = () => setFailed((others) => new Set(others).add(_id));
        image.src = address;
        return image;
      }),
    );
    return () => {
      for (const image of tried) {
        image.onload = null;
        image.onerror = null;
      }
    };
  }, [products]);
  return (
    <p className="hint" role="status">
      A picture of these did not load in a visitor's browser.{" "}
      {failed.size > 0 &&
        `${counted(failed.size, "deal has", "deals have")} one that does not load here either. `}
      Pictures that load here leave the list when you come back.
    </p>
  );
}
