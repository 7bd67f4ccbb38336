import { ApiError } from "../../api/client";
import { cardOf, useCachedCard, useProduct } from "../../api/products/product";
import type { Product } from "../../api/types";
import { type SavedDeal, toggleSaved, useSaved } from "../../lib/device/saved";
import { turnVisits, useVisitsOff } from "../../lib/device/visits";
import { paths } from "../../lib/paths";
import { rupees } from "../../lib/rupees";
import { ProductCard } from "../../product/card/product-card";
import { ProductPicture } from "../../product/product-picture";
import { keepsPrice } from "../../product/save-button";
import { Button, ButtonLink } from "../../ui/button";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { Screen } from "../../ui/screen";

export function SavedPage() {
  const saved = useSaved();
  return (
    <Screen title="Saved deals">
      {saved.length === 0 ? (
        <Notice title="You have not saved a deal yet.">
          <p className="hint">Press the heart on a deal to keep it here, on this device only.</p>
          <ButtonLink to={paths.listing}>See all deals</ButtonLink>
        </Notice>
      ) : (
        <>
          <p className="hint">Kept on this device only.</p>
          <ul className="cards saved">
            {saved.map((deal, number) => (
              <li key={deal.id}>
                <Saved deal={deal} number={number} />
              </li>
            ))}
          </ul>
        </>
      )}
      <Visits />
    </Screen>
  );
}

function Saved({ deal, number }: { deal: SavedDeal; number: number }) {
  const { data, error } = useProduct(deal.id);
  const known = useCachedCard(deal.id);
  const ended = data === null || (error instanceof ApiError && error.status === 404);
  const card = data ? cardOf(data) : ended ? undefined : known;
  if (card) {
    return (
      <>
        <p className="change">{data ? changeOf(deal, data) : ""}</p>
        <ProductCard product={card} number={number} place="below" />
      </>
    );
  }
  return (
    <>
      <p className="change">{ended ? "Ended since you saved it" : ""}</p>
      <article className="card">
        <ProductPicture src={deal.image} alt="" category={deal.category} />
        <h2>
          <Link to={paths.details(deal.id)}>{deal.title}</Link>
        </h2>
        <p className="meta">
          {ended
            ? "This deal has ended."
            : error
              ? "Could not be loaded. It will be tried again."
              : "Loading..."}
        </p>
        <div className="card-actions">
          <Button onClick={() => toggleSaved(deal)}>Remove</Button>
        </div>
      </article>
    </>
  );
}

/** Says what changed since a deal was saved, as far as the seller's rules allow. */
function changeOf(deal: SavedDeal, product: Product): string {
  if (product.state === "ended") {
    return "Ended since you saved it";
  }
  if (deal.finalPrice === undefined || !keepsPrice(product)) {
    return "";
  }
  const less = Math.round((deal.finalPrice - product.finalPrice) * 100) / 100;
  if (less === 0) {
    return "Same price as when you saved it";
  }
  return `${rupees(Math.abs(less))} ${less > 0 ? "less" : "more"} than when you saved it`;
}

/** Whether the list counts what is new since the visit before. */
function Visits() {
  const isOff = useVisitsOff();
  return (
    <div className="flex flex-wrap items-baseline gap-3">
      <p className="hint">
        {isOff
          ? "The list does not show how many deals are new since your last visit."
          : "The list shows how many deals are new since your last visit. The time of your visit is kept on this device only."}
      </p>
      <Button onClick={() => turnVisits(isOff)}>{isOff ? "Count new deals" : "Stop counting"}</Button>
    </div>
  );
}
