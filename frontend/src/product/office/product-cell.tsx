import type { ComponentProps, ReactNode } from "react";
import { Link } from "../../ui/link";
import { ProductPicture } from "../product-picture";

interface ProductCellProps extends Pick<ComponentProps<typeof Link>, "to" | "state" | "target"> {
  id: string;
  title: string;
  source: string;
  category: string;
  image: string | undefined;
  /** Line below the title instead of seller and category. */
  note?: ReactNode;
}

export function ProductCell({ id, title, source, category, image, note, ...link }: ProductCellProps) {
  return (
    <Link className="product-cell" {...link}>
      <ProductPicture id={id} src={image} alt="" category={category} />
      <span>
        <span className="clamp-2">{title}</span>
        <small>{note ?? `${source} · ${category}`}</small>
      </span>
    </Link>
  );
}
