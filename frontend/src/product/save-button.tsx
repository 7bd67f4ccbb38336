import heart from "icon:heart";
import { useSyncExternalStore } from "react";
import type { Tile } from "../api/cards";
import { toggleSaved, useSaved } from "../lib/device/saved";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";

/**
 * Keeps a deal on the device. It is not in the pages of the server, where it could do nothing;
 * the stylesheet keeps its room.
 */
export function SaveButton({ product }: { product: Tile }) {
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
      aria-label="Save"
      onClick={() =>
        toggleSaved({
          id: product._id,
          title: product.title,
          image: product.image,
          category: product.category,
          finalPrice: product.finalPrice,
        })
      }
    >
      <Icon of={heart} />
    </Button>
  );
}
