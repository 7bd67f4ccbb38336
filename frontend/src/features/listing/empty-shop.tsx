// Mirrored by src/http/pages/list/mod.rs

import { office } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import { useSession } from "../../session/session";
import { useShop } from "../../shop/shop";
import { ButtonLink } from "../../ui/button";

/** The list of a shop without products: nothing to filter or sort. */
export function EmptyShop() {
  const { isStaff } = useSession();
  const { tagline } = useShop();
  return (
    <div className="opening">
      <h1 tabIndex={-1}>Opening soon</h1>
      {tagline !== "" && <p>{tagline}</p>}
      {isStaff ? (
        <>
          <p>Visitors see this until the shop has a product.</p>
          <div className="flex flex-wrap gap-2">
            <ButtonLink to={paths.addProduct} variant="primary">
              Add product
            </ButtonLink>
            <ButtonLink to={office.files}>Import a file</ButtonLink>
            <ButtonLink to={office.setup}>All steps</ButtonLink>
          </div>
        </>
      ) : (
        <p>The first deals will be here soon.</p>
      )}
    </div>
  );
}
