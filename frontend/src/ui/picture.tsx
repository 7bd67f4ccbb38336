import { type ReactNode, useEffect, useRef, useState } from "react";
import { ownPicture, pictureAddress } from "../lib/links";
import { classNames } from "./class-names";
import { Icon } from "./icon";

export interface PictureProps {
  src: string | undefined;
  /** Empty if the text beside the picture says the same. */
  alt: string;
  /** Name of the drawing shown instead of a picture that fails to load (`public/drawings.svg`). */
  drawing: string;
  /** Class for the size of the frame, which the picture never changes. */
  className?: string;
  /** Width of the frame as the `sizes` of an image: of thumbnails, unless given. */
  sizes?: string;
  /** Largest picture before scrolling, which loads before all others: on a slow line they would share its time. */
  isFirst?: boolean;
  /** Called when the picture fails to load; must be stable. */
  onFail?: (src: string) => void;
  /** Drawn over the picture. */
  children?: ReactNode;
}

/** `sizes` of a picture in a card of a list. */
export const IN_CARD = "(width >= 64rem) 17rem, 45vw";

/** A picture in a fixed frame, or a drawing in that frame if it fails to load. */
export function Picture({
  src,
  alt,
  drawing,
  className,
  sizes = "6rem",
  isFirst = false,
  onFail,
  children,
}: PictureProps) {
  const [failed, setFailed] = useState<string>();
  const picture = useRef<HTMLImageElement>(null);
  // A picture of the server's page may have failed before hydration.
  useEffect(() => {
    const image = picture.current;
    if (image?.complete && image.naturalWidth === 0) {
      image.decode().catch(() => setFailed(src));
    }
  }, [src]);
  useEffect(() => {
    if (failed !== undefined) {
      onFail?.(failed);
    }
  }, [failed, onFail]);
  const address = failed === src ? undefined : pictureAddress(src);
  return (
    <span className={classNames("picture", className)}>
      {address ? (
        <img
          ref={picture}
          src={address}
          {...ownPicture(address, sizes)}
          alt={alt}
          loading={isFirst ? undefined : "lazy"}
          fetchPriority={isFirst ? "high" : undefined}
          referrerPolicy="no-referrer"
          onError={() => setFailed(src)}
        />
      ) : (
        <Icon
          of={[["use", { href: `/drawings.svg#${drawing}` }]]}
          {...(alt === "" ? {} : { "aria-hidden": undefined, role: "img", "aria-label": alt })}
          className="drawing"
        />
      )}
      {children}
    </span>
  );
}
