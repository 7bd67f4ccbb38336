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
import {
  countNew,
  dealEnded,
  endedSince,
  keptOnDevice,
  lessThanSaved,
  loading,
  moreThanSaved,
  nothingSaved,
  nothingSavedHint,
  removeButton,
  samePrice,
  savedFailed,
  savedLink,
  seeAllDeals,
  stopCounting,
  visitsCounted,
  visitsNotCounted,
} from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { Button, ButtonLink } from "../../ui/button";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { IN_CARD } from "../../ui/picture";
import { Screen } from "../../ui/screen";

export function SavedPage() {
  const saved = useSaved();
  return (
    <Screen title={savedLink}>
      {saved.length === 0 ? (
        <Notice title={nothingSaved}>
          <p className="hint">{nothingSavedHint}</p>
          <ButtonLink to={paths.listing}>{seeAllDeals}</ButtonLink>
        </Notice>
      ) : (
        <>
          <p className="hint">{keptOnDevice}</p>
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
      <p className="change">{ended ? endedSince : ""}</p>
      <article className="card">
        <ProductPicture src={deal.image} alt="" category={deal.category} sizes={IN_CARD} className="stage" />
        <h2>
          <Link to={paths.details(deal.id)}>{deal.title}</Link>
        </h2>
        <p className="where">{ended ? dealEnded : error ? savedFailed : loading}</p>
        <div className="card-actions">
          <Button onClick={() => toggleSaved(deal)}>{removeButton}</Button>
        </div>
      </article>
    </>
  );
}

/** Says what changed since a deal was saved, as far as the seller's rules allow. */
function changeOf(deal: SavedDeal, product: Product): string {
  if (product.state === "ended") {
    return endedSince;
  }
  if (deal.finalPrice === undefined || !keepsPrice(product)) {
    return "";
  }
  const less = Math.round((deal.finalPrice - product.finalPrice) * 100) / 100;
  if (less === 0) {
    return samePrice;
  }
  return fill(less > 0 ? lessThanSaved : moreThanSaved, { amount: rupees(Math.abs(less)) });
}

/** Whether the list counts what is new since the visit before. */
function Visits() {
  const isOff = useVisitsOff();
  return (
    <div className="flex flex-wrap items-baseline gap-3">
      <p className="hint">{isOff ? visitsNotCounted : visitsCounted}</p>
      <Button onClick={() => turnVisits(isOff)}>{isOff ? countNew : stopCounting}</Button>
    </div>
  );
}
