import { PageTitle } from "../../shop/shop";
import { loading, productTitle } from "../../texts/en.json";

export function DetailsSkeleton() {
  return (
    <div className="product">
      <PageTitle of={loading} />
      <h1 tabIndex={-1} className="sr-only">
        {productTitle}
      </h1>
      <div aria-hidden className="pictures">
        <div className="pulse h-[36vh] wide:h-100" />
      </div>
      <div className="buy-box">
        <p role="status" className="text-sm text-ink-3">
          {loading}
        </p>
        <div aria-hidden className="pulse h-12" />
        <div aria-hidden className="pulse h-9 w-1/2" />
        <div aria-hidden className="pulse h-5 w-1/2" />
        <div aria-hidden className="pulse h-25" />
        <div aria-hidden className="pulse h-11" />
      </div>
      <div aria-hidden className="product-more">
        <div className="pulse h-40" />
      </div>
    </div>
  );
}
