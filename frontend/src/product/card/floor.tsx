import type { PriceVerdict, Tile } from "../../api/types";
import { classNames } from "../../ui/class-names";
import type { PictureProps } from "../../ui/picture";
import { ProductPicture } from "../product-picture";

type Kind = PriceVerdict["kind"];

const CHEAPER: readonly Kind[] = ["lowest_90", "lowest_30", "proven_cheaper"];
const UNKNOWN: readonly Kind[] = ["new", "unclear"];

/** Bottom of what is below the line: under the words at the foot. */
const DEPTH = 200;
/** Line of a price that never changed, in the server's box of 64 by 20. */
const FLAT = "M0 10H64";

/** Returns true if the history speaks against a discount: the price is the usual one, or above it. */
export function isDoubted({ verdict }: Pick<Tile, "verdict">): boolean {
  return verdict !== undefined && !isCheaper(verdict) && !UNKNOWN.includes(verdict.kind);
}

/** Returns true if nothing can be said yet about any price of several. */
export function areNew(products: readonly Pick<Tile, "verdict">[]): boolean {
  return products.length > 1 && products.every(({ verdict }) => verdict?.kind === "new");
}

export function isCheaper({ kind }: PriceVerdict): boolean {
  return CHEAPER.includes(kind);
}

interface FloorProps {
  product: Pick<Tile, "verdict">;
  /** Without the verdict's words, and without a line where nothing is known. */
  isQuiet?: boolean | undefined;
  /** The words are said elsewhere. */
  isSaid?: boolean | undefined;
}

interface StagedPictureProps extends FloorProps, Omit<PictureProps, "drawing" | "className" | "onFail"> {
  product: Pick<Tile, "category" | "verdict">;
  /** `_id` of a stored product, for reports of pictures that fail to load. */
  id: string | undefined;
}

/** A product's picture, above the line of its price; without a line it has the whole ground. */
export function StagedPicture({ product, isQuiet, isSaid, children, ...picture }: StagedPictureProps) {
  return (
    <ProductPicture
      category={product.category}
      className={hasFloor(product, isQuiet) ? "stage" : ""}
      {...picture}
    >
      <Floor product={product} isQuiet={isQuiet} isSaid={isSaid} />
      {children}
    </ProductPicture>
  );
}

function hasFloor({ verdict }: Pick<Tile, "verdict">, isQuiet = false): boolean {
  return verdict !== undefined && !(isQuiet && UNKNOWN.includes(verdict.kind));
}

/**
 * The line of the price over 90 days at the foot of its picture: green and filled if the price is proven
 * cheaper, dotted if too little is known, and none where the seller's rules forbid it.
 */
export function Floor({ product, isQuiet = false, isSaid }: FloorProps) {
  const { verdict } = product;
  if (!verdict || !hasFloor(product, isQuiet)) {
    return null;
  }
  const low = isCheaper(verdict);
  const look = low ? "sky-low" : UNKNOWN.includes(verdict.kind) && "sky-new";
  return (
    <>
      <Sky path={verdict.path ?? FLAT} className={look} />
      {!isQuiet && (
        <span className={classNames("floor", low && "floor-low")} aria-hidden={isSaid}>
          {verdict.words}
        </span>
      )}
    </>
  );
}

interface SkyProps {
  /** Line in a box of 64 by 20; dotted and flat without one. */
  path: string | undefined;
  className?: string | false | undefined;
}

/** A line of prices, filled below. */
export function Sky({ path, className = path === undefined && "sky-new" }: SkyProps) {
  return (
    <svg viewBox="0 0 64 20" preserveAspectRatio="none" className={classNames("sky", className)} aria-hidden>
      <path className="under" d={under(path ?? FLAT, DEPTH)} />
      <path d={path ?? FLAT} />
    </svg>
  );
}

/** Returns the area below a line of steps, in a box of a height. */
export function under(path: string, height: number): string {
  return path.replace(/M(\d+) (\d+)([HV\d]+)/g, `M$1 ${height}V$2$3V${height}Z`);
}
