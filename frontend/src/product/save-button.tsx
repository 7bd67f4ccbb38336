import heart from "icon:heart";
import { type ReactNode, useSyncExternalStore } from "react";
import type { Tile } from "../api/types";
import { toggleSaved, useSaved } from "../lib/device/saved";
import { saveDeal } from "../texts/en.json";
import { fill } from "../texts/fill";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";

/** Returns true if the seller's rules allow to keep the price and to compare it later: a verdict needs the same. */
export function keepsPrice({ verdict, shown }: Pick<Tile, "verdict" | "shown">): boolean {
  return verdict !== undefined && !shown?.hidesPrice && !shown?.asOf;
}

/**
 * Saves a deal on the device. The server's pages don't have the button, which needs script; the
 * stylesheet reserves its room.
 */
export function SaveButton({ product, children }: { product: Tile; children?: ReactNode }) {
  const inBrowser = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
  const saved = useSaved().some(({ id }) => id === product._id);
  if (!inBrowser) {
    return null;
  }
  return (
    <Button
      className="heart"
      aria-pressed={saved}
      aria-label={fill(saveDeal, { title: product.title })}
      onClick={() =>
        toggleSaved({
          id: product._id,
          title: product.title,
          image: product.image,
          category: product.category,
          ...(keepsPrice(product) && { finalPrice: product.finalPrice }),
        })
      }
    >
      <Icon of={heart} />
      {children}
    </Button>
  );
}
