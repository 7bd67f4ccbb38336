// Mirrored by src/http/pages/details/product_page.rs

import { useFacets } from "../../api/products/related";
import type { Alike, Category } from "../../api/types";
import { count } from "../../lib/rupees";
import { Strip } from "../../product/strip";

interface ShelvesProps extends Alike {
  category: Category;
  source: string;
}

/** Products like the one of the page, and others of its seller. */
export function Shelves({ category, source, similar, seller, sellerTotal }: ShelvesProps) {
  const { data: facets } = useFacets({});
  const inCategory = facets?.categories.find(({ name }) => name === category)?.products ?? 0;
  return (
    <>
      <Strip
        heading="More like this"
        all={`/?category=${category}`}
        allLabel={`All ${count(inCategory)} in ${category}`}
        products={similar}
      />
      <Strip
        heading={`More from ${source}`}
        all={`/?${new URLSearchParams({ source })}`}
        allLabel={`All ${count(sellerTotal)} of ${source}`}
        products={seller}
      />
    </>
  );
}
