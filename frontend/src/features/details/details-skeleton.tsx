import { PageTitle } from "../../shop/shop";

export function DetailsSkeleton() {
  return (
    <div className="product">
      <PageTitle of="Loading..." />
      <h1 tabIndex={-1} className="sr-only">
        Product
      </h1>
      <div aria-hidden className="pulse aspect-4/3 max-h-96 w-full mid:aspect-square mid:max-h-none" />
      <div className="product-text">
        <p role="status" className="text-sm text-ink-3">
          Loading...
        </p>
        <div aria-hidden className="pulse h-14" />
        <div aria-hidden className="pulse h-9 w-1/2" />
        <div aria-hidden className="pulse h-11" />
        <div aria-hidden className="pulse h-40" />
      </div>
    </div>
  );
}
