import { useState } from "react";
import { useSellerOfferChanges, useSellerOffers } from "../../api/office/sources";
import type { SellerOffer } from "../../api/types";
import { moment } from "../../lib/time";
import { useAttempt } from "../../session/use-attempt";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { Loaded } from "../../ui/loaded";
import { OfferForm } from "./offer-form";

const NEW = "";

/** The offers of a seller, which count for its deals without a change of them. */
export function SellerOffers({ source }: { source: string }) {
  // Id of the offer whose form is open.
  const [open, setOpen] = useState<string>();
  const close = () => setOpen(undefined);
  return (
    <Loaded call={useSellerOffers(source)} failure="The offers could not be loaded">
      {({ data }) => (
        <section aria-label={`Offers of ${source}`} className="grid max-w-[40rem] grid-cols-1 gap-2 py-2">
          {data.length === 0 && (
            <p className="hint">
              No offers yet. A coupon or a bank day here applies to all deals of {source}.
            </p>
          )}
          <ul>
            {data.map((offer) => (
              <OfferRow
                key={offer.id}
                source={source}
                of={offer}
                open={open === offer.id}
                onOpen={(is) => setOpen(is ? offer.id : undefined)}
              />
            ))}
          </ul>
          {open === NEW ? (
            <OfferForm source={source} onDone={close} />
          ) : (
            <Button className="justify-self-start" onClick={() => setOpen(NEW)}>
              Add an offer
            </Button>
          )}
        </section>
      )}
    </Loaded>
  );
}

interface OfferRowProps {
  source: string;
  of: SellerOffer;
  open: boolean;
  onOpen: (open: boolean) => void;
}

function OfferRow({ source, of: offer, open, onOpen }: OfferRowProps) {
  const { remove } = useSellerOfferChanges(source);
  const [asking, setAsking] = useState(false);
  const attempt = useAttempt();
  const words = offer.code ? `${offer.words} (${offer.code})` : (offer.words ?? "");
  const end = () => {
    setAsking(false);
    const work = async () => {
      await remove(offer.id);
      document.querySelector("h1")?.focus();
    };
    void attempt(work, "The offer is deleted");
  };
  return (
    <li className="line grid-cols-1 gap-2 wrap-anywhere">
      <div>
        <p className="font-semibold">{words}</p>
        <p className="quiet">{[offer.scope, timesOf(offer)].filter(Boolean).join(" · ")}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button aria-label={`Change ${words}`} aria-expanded={open} onClick={() => onOpen(!open)}>
          Change
        </Button>
        <Button variant="danger" aria-label={`Delete ${words}`} onClick={() => setAsking(true)}>
          Delete
        </Button>
      </div>
      {open && <OfferForm source={source} of={offer} onDone={() => onOpen(false)} />}
      {asking && (
        <Confirm
          title="Delete this offer?"
          confirm="Delete"
          onConfirm={end}
          onCancel={() => setAsking(false)}
        >
          {words}
        </Confirm>
      )}
    </li>
  );
}

/** Says when an offer begins or ends, as far as it matters now. */
function timesOf({ state, startsAt, endsAt }: SellerOffer): string {
  if (state === "ended") {
    return `ended ${moment(endsAt ?? "")}`;
  }
  const start = state === "scheduled" ? `from ${moment(startsAt ?? "")}` : "now";
  return endsAt ? `${start} until ${moment(endsAt)}` : start;
}
