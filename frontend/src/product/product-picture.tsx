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
  /** `_id` of a stored product, for reports of pictures that fail to load. */
  id?: string | undefined;
  /** Category of the icon shown instead of a picture that fails to load. */
  category: string;
}

/** A picture of a product, or the icon of its category. */
export function ProductPicture({ id, category, ...rest }: ProductPictureProps) {
  const onFail = useCallback((src: string) => id !== undefined && pictureFailed(id, src), [id]);
  return <Picture drawing={DRAWINGS[category] ?? box} onFail={onFail} {...rest} />;
}
