import { useFacets } from "../../api/products/related";
import type { Alike } from "../../api/types";
import { count } from "../../lib/rupees";
import { Strip } from "../../product/strip";
import { sellerPath, useCategoryPath } from "../../shop/categories";
import { allInCategory, allOfSeller, moreFromSeller, moreLikeThis } from "../../texts/en.json";
import { fill } from "../../texts/fill";

interface ShelvesProps extends Alike {
  category: string;
  source: string;
}

/** Products like the one of the page, and others of its seller. */
export function Shelves({ category, source, similar, seller, sellerTotal }: ShelvesProps) {
  const { data: facets } = useFacets({});
  const categoryPath = useCategoryPath();
  const inCategory = facets?.categories.find(({ name }) => name === category)?.products ?? 0;
  return (
    <>
      <Strip
        heading={moreLikeThis}
        all={inCategory > similar.length ? categoryPath(category) : undefined}
        allLabel={fill(allInCategory, { count: count(inCategory), category })}
        products={similar}
      />
      <Strip
        heading={fill(moreFromSeller, { seller: source })}
        all={sellerPath(source)}
        allLabel={fill(allOfSeller, { count: count(sellerTotal), seller: source })}
        products={seller}
      />
    </>
  );
}
