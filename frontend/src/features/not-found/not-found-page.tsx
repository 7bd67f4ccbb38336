import { paths } from "../../lib/paths";
import { PicksStrip } from "../../product/picks-strip";
import { PageTitle } from "../../shop/shop";
import { notFoundHint, notFoundTitle, seeAllDeals } from "../../texts/en.json";
import { ButtonLink } from "../../ui/button";

export function NotFoundPage() {
  return (
    <>
      <PageTitle of={notFoundTitle} />
      <div className="opening">
        <h1 tabIndex={-1}>{notFoundTitle}</h1>
        <p>{notFoundHint}</p>
        <div>
          <ButtonLink variant="primary" to={paths.listing}>
            {seeAllDeals}
          </ButtonLink>
        </div>
      </div>
      <PicksStrip />
    </>
  );
}
