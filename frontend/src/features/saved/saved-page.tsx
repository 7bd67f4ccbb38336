import { ApiError } from "../../api/client";
import { cardOf, useCachedCard, useProduct } from "../../api/products/product";
import { type SavedDeal, toggleSaved, useSaved } from "../../lib/device/saved";
import { paths } from "../../lib/paths";
import { ProductCard } from "../../product/card/product-card";
import { ProductPicture } from "../../product/product-picture";
import { Button, ButtonLink } from "../../ui/button";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { Screen } from "../../ui/screen";

export function SavedPage() {
  const saved = useSaved();
  return (
    <Screen title="Saved deals">
      {saved.length === 0 ? (
        <Notice title="You have not saved a deal yet.">
          <p className="hint">Press the heart on a deal, and it is here. It stays on this device.</p>
          <ButtonLink to={paths.listing}>See all deals</ButtonLink>
        </Notice>
      ) : (
        <>
          <p className="hint">They are kept on this device only.</p>
          <ul className="cards">
            {saved.map((deal, number) => (
              <li key={deal.id}>
                <Saved deal={deal} number={number} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Screen>
  );
}

function Saved({ deal, number }: { deal: SavedDeal; number: number }) {
  const { data, error } = useProduct(deal.id);
  const known = useCachedCard(deal.id);
  const ended = data === null || (error instanceof ApiError && error.status === 404);
  const card = data ? cardOf(data) : ended ? undefined : known;
  if (card) {
    return <ProductCard product={card} number={number} place="below" />;
  }
  return (
    <article className="card">
      <ProductPicture src={deal.image} alt="" category={deal.category} />
      <h2>
        <Link to={paths.details(deal.id)}>{deal.title}</Link>
      </h2>
      <p className="meta">
        {ended ? "This deal has ended." : error ? "Could not be loaded now." : "Loading..."}
      </p>
      <div className="card-actions">
        <Button onClick={() => toggleSaved(deal)}>Remove</Button>
      </div>
    </article>
  );
}
