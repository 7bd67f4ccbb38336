import cross from "icon:x";
import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { FROM_OFFICE, paths } from "../../lib/paths";
import { PostDialog } from "../../product/office/posting/post-dialog";
import { quoted } from "../../product/office/row-changes";
import { Button, ButtonLink } from "../../ui/button";
import { Icon } from "../../ui/icon";

/** Offers what comes after a product was added: once, until it is dismissed or another list is opened. */
export function Added() {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const [{ list, product }, setAdded] = useState({
    list: search,
    product: (state as { added?: { _id: string; title: string; live: boolean } } | null)?.added,
  });
  const [posting, setPosting] = useState(false);
  const isInHistory = product !== undefined && state !== null;
  useEffect(() => {
    // A page that is loaded again has the state of the history.
    if (isInHistory) {
      navigate(pathname + search, { replace: true, state: null });
    }
  }, [isInHistory, pathname, search, navigate]);
  if (product === undefined || search !== list) {
    return null;
  }
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 rounded-[16px] bg-raised py-1 pr-1 pl-4">
      <b className="wrap-anywhere min-w-40 flex-1">Added {quoted(product)}</b>
      <ButtonLink to={paths.details(product._id)}>View</ButtonLink>
      {product.live && <Button onClick={() => setPosting(true)}>Post now</Button>}
      <ButtonLink to={paths.addProduct} state={FROM_OFFICE}>
        Add another
      </ButtonLink>
      <Button variant="plain" aria-label="Dismiss" onClick={() => setAdded({ list, product: undefined })}>
        <Icon of={cross} />
      </Button>
      {posting && <PostDialog ids={[product._id]} onClose={() => setPosting(false)} />}
    </div>
  );
}
