import { paths } from "../../lib/paths";
import { PageTitle } from "../../shop/shop";
import { notFoundHint, notFoundTitle, seeAllDeals } from "../../texts/en.json";
import { ButtonLink } from "../../ui/button";

export function NotFoundPage() {
  return (
    <div className="flex flex-col items-start gap-4 py-10">
      <PageTitle of={notFoundTitle} />
      <h1 tabIndex={-1} className="text-lg font-semibold">
        {notFoundTitle}
      </h1>
      <p className="text-ink-2">{notFoundHint}</p>
      <ButtonLink variant="primary" to={paths.listing}>
        {seeAllDeals}
      </ButtonLink>
    </div>
  );
}
