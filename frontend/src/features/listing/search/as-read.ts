import type { ProductPage } from "../../../api/products/list";
import type { ProductQuery } from "../../../api/products/query";
import type { Card } from "../../../api/types";
import { fewDeals, nearbyDeals } from "../../../lib/constants.json";
import { changed } from "../../../product/list-state";

/**
 * Returns the query as the server read its search: with the price, discount and rating among its words as filters,
 * and the words of the suggestion if they are those that found something.
 */
export function asRead(query: ProductQuery, meta: ProductPage["meta"] | undefined): ProductQuery {
  const { wordsRead, minPriceRead, maxPriceRead, minDiscountRead, minRatingRead } = meta ?? {};
  const minPrice = Math.max(query.minPrice ?? 0, minPriceRead ?? 0);
  const maxPrice = Math.min(
    query.maxPrice ?? Number.POSITIVE_INFINITY,
    maxPriceRead ?? Number.POSITIVE_INFINITY,
  );
  const minDiscount = Math.max(query.minDiscount ?? 0, minDiscountRead ?? 0);
  const minRating = Math.max(query.minRating ?? 0, minRatingRead ?? 0);
  const isAsTyped = [wordsRead, minPriceRead, maxPriceRead, minDiscountRead, minRatingRead].every(
    (read) => read === undefined,
  );
  if (isAsTyped || minPrice > maxPrice) {
    return query;
  }
  const { page } = query;
  return {
    ...changed(query, {
      search: wordsRead ?? "",
      minPrice: minPrice === 0 ? "" : minPrice,
      maxPrice: maxPrice === Number.POSITIVE_INFINITY ? "" : maxPrice,
      minDiscount: minDiscount === 0 ? "" : minDiscount,
      minRating: minRating === 0 ? "" : minRating,
    }),
    page,
  };
}

/**
 * Returns the query of deals near the first of a few results, as the server does: those of fewer words, or else
 * the most clicked of its category.
 */
export function near(query: ProductQuery, meta: ProductPage["meta"], { category }: Card): ProductQuery {
  const { minPrice, maxPrice } = query;
  const shorter = meta.suggestion === undefined ? meta.shorter : undefined;
  const fewer = shorter?.find(({ total }) => total > meta.total);
  return {
    page: 1,
    limit: fewDeals + nearbyDeals,
    order: "desc",
    ...(fewer ? { sortBy: "relevance", search: fewer.search } : { sortBy: "clicks", category }),
    ...(minPrice === undefined ? {} : { minPrice }),
    ...(maxPrice === undefined ? {} : { maxPrice }),
  };
}
