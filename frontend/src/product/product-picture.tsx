import { useCallback } from "react";
import { pictureFailed } from "../api/pictures";
import { useShop } from "../shop/shop";
import { classNames } from "../ui/class-names";
import { Picture, type PictureProps } from "../ui/picture";

/**
 * Classes of the grounds, by their number; the fourth is that of pictures without one. The rules of those after it come
 * from src/storefront/look.rs, where a category has one.
 */
const GROUNDS = ["electronics", "clothing", "books", "", "ground-5", "ground-6", "ground-7", "ground-8"];

interface ProductPictureProps extends Omit<PictureProps, "drawing" | "onFail"> {
  /** `_id` of a stored product, for reports of pictures that fail to load. */
  id?: string | undefined;
  /** Category, which decides the ground, and the drawing shown instead of a picture that fails to load. */
  category?: string;
  /** Drawing and ground that no category has yet. */
  look?: { drawing: string; ground: number };
}

/** A picture of a product, or the drawing of its category. */
export function ProductPicture({ id, category, look: chosen, className, ...rest }: ProductPictureProps) {
  const { categories } = useShop();
  const look = chosen ?? categories.find(({ name }) => name === category);
  const ground = GROUNDS[(look?.ground ?? 4) - 1];
  const onFail = useCallback((src: string) => id !== undefined && pictureFailed(id, src), [id]);
  return (
    <Picture
      drawing={look?.drawing ?? "package"}
      className={classNames(className, ground)}
      onFail={onFail}
      {...rest}
    />
  );
}
