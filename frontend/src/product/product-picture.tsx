import bookOpen from "icon:book-open";
import house from "icon:house";
import box from "icon:package";
import plug from "icon:plug";
import shirt from "icon:shirt";
import { useCallback } from "react";
import { pictureFailed } from "../api/pictures";
import type { Drawing } from "../ui/icon";
import { Picture, type PictureProps } from "../ui/picture";

const DRAWINGS: Record<string, Drawing> = {
  Electronics: plug,
  Clothing: shirt,
  Books: bookOpen,
  Home: house,
};

interface ProductPictureProps extends Omit<PictureProps, "drawing" | "onFail"> {
  /** The product's `_id`, where there is one: the shop is told of a picture that can't be shown. */
  id?: string;
  /** Chooses the drawing that stands in for a picture that can't be shown. */
  category: string;
}

/** A picture of a product, or a drawing of its category. */
export function ProductPicture({ id, category, ...rest }: ProductPictureProps) {
  const tell = useCallback((src: string) => id !== undefined && pictureFailed(id, src), [id]);
  return <Picture drawing={DRAWINGS[category] ?? box} onFail={tell} {...rest} />;
}
