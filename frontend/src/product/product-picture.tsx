import bookOpen from "icon:book-open";
import house from "icon:house";
import box from "icon:package";
import plug from "icon:plug";
import shirt from "icon:shirt";
import { useCallback } from "react";
import { pictureFailed } from "../api/pictures";
import { classNames } from "../ui/class-names";
import type { Drawing } from "../ui/icon";
import { Picture, type PictureProps } from "../ui/picture";

/** Drawing and ground of each category; without one, the ground is that of Home. */
const LOOKS: Record<string, readonly [Drawing, string?]> = {
  Electronics: [plug, "electronics"],
  Clothing: [shirt, "clothing"],
  Books: [bookOpen, "books"],
  Home: [house],
};

interface ProductPictureProps extends Omit<PictureProps, "drawing" | "onFail"> {
  /** `_id` of a stored product, for reports of pictures that fail to load. */
  id?: string | undefined;
  /** Category, which decides the ground, and the icon shown instead of a picture that fails to load. */
  category: string;
}

/** A picture of a product, or the icon of its category. */
export function ProductPicture({ id, category, className, ...rest }: ProductPictureProps) {
  const [drawing, ground] = LOOKS[category] ?? [box];
  const onFail = useCallback((src: string) => id !== undefined && pictureFailed(id, src), [id]);
  return <Picture drawing={drawing} className={classNames(className, ground)} onFail={onFail} {...rest} />;
}
