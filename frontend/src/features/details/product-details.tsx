import type { ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import type { Product } from "../../api/products";
import { paths } from "../../lib/paths";
import { count } from "../../lib/rupees";
import { BuyLink } from "../../product/buy-link";
import { Disclosure } from "../../product/disclosure";
import { ForAdmins } from "../../product/for-admins";
import { PriceLine } from "../../product/price-line";
import { Gallery } from "./gallery";
import { ShareButton } from "./share-button";

// The shop's own time zone, so that the server and every browser name the same day.
const DATE = new Intl.DateTimeFormat("en-IN", { dateStyle: "long", timeZone: "Asia/Kolkata" });

export function ProductDetails({ product }: { product: Product }) {
  const { averageRating, totalRatings } = product.ratings;
  const navigate = useNavigate();
  return (
    <article className="pb-16 wide:grid wide:pb-0 wide:grid-cols-[minmax(0,35rem)_minmax(0,1fr)] wide:gap-10">
      <title>{`${product.title} · Deals`}</title>
      <Gallery key={product._id} product={product} />
      <div className="flex flex-col gap-4 pt-4 wide:pt-0">
        <h1 tabIndex={-1} className="text-lg font-semibold">
          {product.title}
        </h1>
        <p className="tabular text-sm text-ink-2">
          <span aria-hidden>★ </span>
          {`${averageRating.toFixed(1)} out of 5 · ${count(totalRatings)} ${totalRatings === 1 ? "review" : "reviews"}`}
        </p>
        <PriceLine product={product} large />
        <div className="fixed inset-x-0 bottom-[calc(3.5rem+env(safe-area-inset-bottom))] z-30 grid grid-cols-[minmax(0,1fr)_minmax(6.25rem,auto)] grid-rows-[minmax(2.75rem,auto)] gap-2 border-t border-line bg-paper px-4 py-2 wide:static wide:grid-cols-[minmax(0,20rem)_minmax(6.25rem,auto)] wide:justify-start wide:border-0 wide:p-0 noscript:grid-cols-1 print:hidden">
          <BuyLink product={product} className="min-w-0 wide:max-w-xs" />
          <ShareButton title={product.title} />
        </div>
        <Disclosure className="text-xs text-ink-3 print:hidden" />
        <p className="hidden text-sm break-all print:block">{product.affiliateLink}</p>
        <ForAdmins product={product} onDeleted={() => navigate(paths.listing)} />
        <section>
          <h2 className="pb-1 text-base font-semibold">Description</h2>
          <p className="whitespace-pre-line text-base text-ink-2">{product.description}</p>
        </section>
        <dl className="grid grid-cols-[8rem_minmax(0,1fr)] text-sm">
          <Fact name="Category">{product.category}</Fact>
          <Fact name="Source">{product.source}</Fact>
          <Fact name="Rating">{`${averageRating.toFixed(1)} out of 5`}</Fact>
          <Fact name="Reviews">{count(totalRatings)}</Fact>
          <Fact name={product.clicks === 1 ? "Click" : "Clicks"}>{count(product.clicks)}</Fact>
          <Fact name="Added">
            <time dateTime={product.createdAt}>{DATE.format(new Date(product.createdAt))}</time>
          </Fact>
        </dl>
      </div>
    </article>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="col-span-2 grid grid-cols-subgrid border-t border-line py-2">
      <dt className="text-ink-3">{name}</dt>
      <dd className="tabular">{children}</dd>
    </div>
  );
}
