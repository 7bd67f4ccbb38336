import { useEffect } from "react";
import { ApiError } from "../../api/client";
import { cardOf, useCachedCard, useProduct } from "../../api/products/product";
import { lookBefore, recordLook, type SavedDeal, toggleSaved, useSaved } from "../../lib/device/saved";
import { turnVisits, useVisitsOff } from "../../lib/device/visits";
import { paths } from "../../lib/paths";
import { shortRupees } from "../../lib/rupees";
import { AlertButton } from "../../product/alert/alert-button";
import { ProductCard } from "../../product/card/product-card";
import { ProductPicture } from "../../product/product-picture";
import { keepsPrice } from "../../product/save-button";
import {
  backSinceVisit,
  countNew,
  dealEnded,
  endedSince,
  endedSinceVisit,
  keptOnDevice,
  lessThanLastVisit,
  lessThanSaved,
  loading,
  moreThanLastVisit,
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
          <AlertButton ids={saved.map(({ id }) => id)} />
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
  const isOver = ended || data?.state === "ended";
  const price = data && keepsPrice(data) ? data.finalPrice : undefined;
  useEffect(() => {
    if (data || ended) {
      recordLook(deal.id, { ended: isOver, ...(price !== undefined && { finalPrice: price }) });
    }
  }, [deal.id, data, ended, isOver, price]);
  const change = data || ended ? changeOf(deal, isOver, price) : "";
  const card = data ? cardOf(data) : ended ? undefined : known;
  if (card) {
    return (
      <>
        <p className="change">{change}</p>
        <ProductCard product={card} number={number} />
      </>
    );
  }
  return (
    <>
      <p className="change">{change}</p>
      <article className="card">
        <ProductPicture src={deal.image} alt="" category={deal.category} sizes={IN_CARD} />
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

/** Says what changed since the visit before, or since a deal was saved, as far as the seller's rules allow. */
function changeOf(deal: SavedDeal, isOver: boolean, price: number | undefined): string {
  const before = lookBefore(deal);
  if (isOver) {
    return before?.ended === false ? endedSinceVisit : endedSince;
  }
  if (before?.ended) {
    return backSinceVisit;
  }
  const lately = lessSince(before?.finalPrice, price);
  if (lately !== undefined && lately !== 0) {
    const amount = shortRupees(Math.abs(lately));
    return fill(lately > 0 ? lessThanLastVisit : moreThanLastVisit, { amount });
  }
  const less = lessSince(deal.finalPrice, price);
  if (less === undefined) {
    return "";
  }
  return less === 0
    ? samePrice
    : fill(less > 0 ? lessThanSaved : moreThanSaved, { amount: shortRupees(Math.abs(less)) });
}

function lessSince(before: number | undefined, price: number | undefined): number | undefined {
  return before === undefined || price === undefined ? undefined : Math.round((before - price) * 100) / 100;
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
