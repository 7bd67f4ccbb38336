import type { LucideIcon } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { classNames } from "./class-names";

export interface PictureProps {
  src: string | undefined;
  /** Empty where the words beside it say the same. */
  alt: string;
  /** Stands in for a picture that can't be shown. */
  drawing: LucideIcon;
  /** The size of the frame; the picture never changes it. */
  className: string;
  /** Where it is when nothing is scrolled yet: the first one is waited for most. */
  place?: "first" | "seen" | "below";
}

/** A picture in a fixed frame, or a drawing in the same frame when it fails. */
export function Picture({ src, alt, drawing: Drawing, className, place = "below" }: PictureProps) {
  const [failed, setFailed] = useState<string>();
  const picture = useRef<HTMLImageElement>(null);
  // A picture of the served page may have failed before anybody listened.
  useEffect(() => {
    const image = picture.current;
    if (image?.complete && image.naturalWidth === 0) {
      image.decode().catch(() => setFailed(src));
    }
  }, [src]);
  const shown = src !== undefined && failed !== src;
  return (
    <div
      className={classNames(
        "relative grid place-items-center overflow-hidden rounded",
        shown ? "bg-mat" : "bg-raised text-ink-3",
        className,
      )}
    >
      {shown ? (
        <img
          ref={picture}
          src={src}
          alt={alt}
          loading={place === "below" ? "lazy" : "eager"}
          fetchPriority={place === "first" ? "high" : "auto"}
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setFailed(src)}
          className="absolute inset-0 size-full object-contain"
        />
      ) : (
        <Drawing
          {...(alt === "" ? { "aria-hidden": true } : { role: "img", "aria-label": alt })}
          strokeWidth={1}
          className="size-1/3 max-h-14 max-w-14 opacity-70"
        />
      )}
    </div>
  );
}
