import { useEffect } from "react";
import { ApiError } from "../api/client";
import { useRecordClick } from "../api/products/clicks";
import type { Card } from "../api/types";
import type { EarlyClick } from "../lib/early-clicks";
import { webAddress } from "../lib/links";
import { buyOn, clickFailed, clickRecorded, endedHere, seeTodaysPrice } from "../texts/en.json";
import { fill } from "../texts/fill";
import { ButtonAnchor } from "../ui/button";
import { useToast } from "../ui/toast/toast";

/** Counts a click, which may have been sent already, and shows a toast with the outcome. */
function useClickCount(): (id: string, sent?: Promise<number>) => void {
  const recordClick = useRecordClick();
  const toast = useToast();
  return (id, sent) => {
    recordClick(id, sent).then(
      () => toast({ title: clickRecorded }),
      (error: unknown) => {
        const gone = error instanceof ApiError && error.status === 404;
        const message = error instanceof ApiError && !error.unreachable ? error.message : undefined;
        const known = gone ? endedHere : message;
        toast({
          title: clickFailed,
          ...(known ? { description: known } : {}),
          failure: true,
        });
      },
    );
  };
}

export function EarlyClicks({ clicks }: { clicks: EarlyClick[] }) {
  const record = useClickCount();
  useEffect(() => {
    for (const { id, clicks: counted } of clicks.splice(0)) {
      record(id, counted);
    }
  });
  return null;
}

interface BuyLinkProps {
  product: Pick<Card, "_id" | "affiliateLink" | "source" | "state">;
  /** The link is named after the heading with this number. */
  number: number | undefined;
}

/**
 * A real link to the seller that opens a new tab. The click is sent first without waiting for
 * the answer, so that no pop-up blocker interferes and a failed count stops nobody (decisions
 * section 7).
 */
export function BuyLink({ product, number }: BuyLinkProps) {
  const count = useClickCount();
  const record = () => count(product._id);
  return (
    <ButtonAnchor
      href={webAddress(product.affiliateLink)}
      target="_blank"
      rel="sponsored nofollow noopener"
      data-buy=""
      id={idOf("b", number)}
      aria-labelledby={nameOf("b", number)}
      onClick={record}
      onAuxClick={(event) => {
        // The middle button opens a tab too; the others open a menu.
        if (event.button === 1) {
          record();
        }
      }}
    >
      {fill(product.state === "ended" ? seeTodaysPrice : buyOn, { seller: product.source })}
    </ButtonAnchor>
  );
}

/** Returns the id of an element of a card. */
export function idOf(letter: string, number: number | undefined): string | undefined {
  return number === undefined ? undefined : `${letter}${number}`;
}

/** Returns the ids that name a button: its own, and that of the deal's heading. */
export function nameOf(letter: string, number: number | undefined): string | undefined {
  return number === undefined ? undefined : `${letter}${number} t${number}`;
}
