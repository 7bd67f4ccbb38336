import { paths } from "../../lib/paths";
import { PageTitle } from "../../shop/shop";
import { ButtonLink } from "../../ui/button";

export function NotFoundPage() {
  return (
    <div className="flex flex-col items-start gap-4 py-10">
      <PageTitle of="Page not found" />
      <h1 tabIndex={-1} className="text-lg font-semibold">
        Page not found
      </h1>
      <p className="text-ink-2">There is nothing at this address. It may have been mistyped or moved.</p>
      <ButtonLink variant="primary" to={paths.listing}>
        See all deals
      </ButtonLink>
    </div>
  );
}
