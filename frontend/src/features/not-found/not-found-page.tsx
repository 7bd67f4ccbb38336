import { useHome } from "../../api/products/related";
import { paths } from "../../lib/paths";
import { picksHeading } from "../../product/home";
import { Strip } from "../../product/strip";
import { PageTitle } from "../../shop/shop";
import { allDeals, notFoundHint, notFoundTitle, seeAllDeals } from "../../texts/en.json";
import { ButtonLink } from "../../ui/button";

export function NotFoundPage() {
  const { data: home } = useHome(true);
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
      {home && (
        <Strip heading={picksHeading(home)} all={paths.listing} allLabel={allDeals} products={home.picks} />
      )}
    </>
  );
}
