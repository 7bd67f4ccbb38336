// Mirrored by src/http/pages/product.rs

import { useEffect, useRef, useState } from "react";
import { classNames } from "./class-names";
import { type Drawing, Icon } from "./icon";

export interface PictureProps {
  src: string | undefined;
  /** Empty where the words beside it say the same. */
  alt: string;
  /** Stands in for a picture that can't be shown. */
  drawing: Drawing;
  /** The size of the frame, where no part says it; the picture never changes it. */
  className?: string;
  /** Where it is when nothing is scrolled yet: the first one is waited for most. */
  place?: "first" | "seen" | "below";
  /** Called when it can't be shown; the same function each time. */
  onFail?: (src: string) => void;
}

/** A picture in a fixed frame, or a drawing in the same frame when it fails. */
export function Picture({ src, alt, drawing, className, place = "below", onFail }: PictureProps) {
  const [failed, setFailed] = useState<string>();
  const picture = useRef<HTMLImageElement>(null);
  // A picture of the served page may have failed before anybody listened.
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
  const shown = src !== undefined && failed !== src;
  return (
    <div className={classNames("picture", className, !shown && "bg-raised text-ink-3")}>
      {shown ? (
        <img
          ref={picture}
          src={src}
          alt={alt}
          loading={place === "below" ? "lazy" : undefined}
          fetchPriority={place === "first" ? "high" : undefined}
          referrerPolicy="no-referrer"
          onError={() => setFailed(src)}
        />
      ) : (
        <Icon
          of={drawing}
          {...(alt === "" ? {} : { "aria-hidden": undefined, role: "img", "aria-label": alt })}
          className="size-1/3 stroke-1 max-h-14 max-w-14 opacity-70"
        />
      )}
    </div>
  );
}
