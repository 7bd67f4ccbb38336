import { BookOpen, House, type LucideIcon, Package, Plug, Shirt } from "lucide-react";
import { Picture, type PictureProps } from "../ui/picture";

const DRAWINGS: Record<string, LucideIcon> = {
  Electronics: Plug,
  Clothing: Shirt,
  Books: BookOpen,
  Home: House,
};

interface ProductPictureProps extends Omit<PictureProps, "drawing"> {
  /** Chooses the drawing that stands in for a picture that can't be shown. */
  category: string;
}

/** A picture of a product, or a drawing of its category. */
export function ProductPicture({ category, ...rest }: ProductPictureProps) {
  return <Picture drawing={DRAWINGS[category] ?? Package} {...rest} />;
}
