import cross from "icon:x";
import { useEffect } from "react";
import type { ProductQuery } from "../../api/products/query";
import type { Card } from "../../api/types";
import { recordVisit, turnVisits, useVisitBefore } from "../../lib/device/visits";
import { added } from "../../product/card/age";
import { listAddress } from "../../product/list-state";
import { newOrMoreSinceVisit, newSinceVisit, stopCountingNew } from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { Icon } from "../../ui/icon";

interface NewSinceProps {
  query: ProductQuery;
  products: readonly Card[];
}

/** Says on the newest deals how many were added since the visit before, which the device keeps. */
export function NewSince({ query, products }: NewSinceProps) {
  const before = useVisitBefore();
  useEffect(() => recordVisit(), []);
  const fresh =
    before === undefined
      ? 0
      : products.filter((it) => Date.parse(it.publishedAt ?? it.createdAt) > before).length;
  if (before === undefined || fresh === 0 || listAddress(query) !== "/") {
    return null;
  }
  return (
    <p className="new-since">
      {fill(fresh === products.length ? newOrMoreSinceVisit : newSinceVisit, {
        count: fresh,
        when: added(new Date(before).toISOString()),
      })}
      <button type="button" aria-label={stopCountingNew} onClick={() => turnVisits(false)}>
        <Icon of={cross} />
      </button>
    </p>
  );
}
