/** Stands where the product will. */
export function DetailsSkeleton() {
  return (
    <div className="wide:grid wide:grid-cols-[35rem_minmax(0,1fr)] wide:gap-10">
      <title>Loading... · Deals</title>
      <h1 tabIndex={-1} className="sr-only">
        Product
      </h1>
      <div aria-hidden className="pulse aspect-4/3 max-h-96 w-full wide:max-h-none" />
      <div className="flex flex-col gap-3 pt-4 wide:pt-0">
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
