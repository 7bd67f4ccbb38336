import type { ComponentProps } from "react";
import { Link } from "../../ui/link";
import { ProductPicture } from "../product-picture";

interface ThingProps extends Pick<ComponentProps<typeof Link>, "to" | "state"> {
  id: string;
  title: string;
  source: string;
  category: string;
  image: string | undefined;
  /** The class that says how much of the title is seen. */
  titleClass: "one-line" | "clamp-2";
}

/** A product in a table of the owner's: its picture, its title, and of whom it is. */
export function Thing({ id, title, source, category, image, titleClass, ...link }: ThingProps) {
  return (
    <Link className="thing" {...link}>
      <ProductPicture id={id} src={image} alt="" category={category} />
      <span>
        <span className={titleClass}>{title}</span>
        <small>
          {source} · {category}
        </small>
      </span>
    </Link>
  );
}
