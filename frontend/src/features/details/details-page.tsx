import arrowLeft from "icon:arrow-left";
import { useEffect, useState } from "react";
import { useLocation, useNavigate, useParams } from "react-router-dom";
import { ApiError } from "../../api/client";
import { useCachedCard, useProduct } from "../../api/products/product";
import { useHome } from "../../api/products/related";
import { paths } from "../../lib/paths";
import { picksHeading } from "../../product/home";
import { Strip } from "../../product/strip";
import { useCategoryPath } from "../../shop/categories";
import { PageTitle, useShop } from "../../shop/shop";
import {
  allDeals,
  backButton,
  breadcrumb,
  detailsFailedLater,
  errorTitle,
  maybeRemoved,
  productNotFound,
  productNotFoundTitle,
  productTitle,
  retryButton,
  seeAllDeals,
  shopSilent,
} from "../../texts/en.json";
import { Button, ButtonLink } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { useToast } from "../../ui/toast/toast";
import { DetailsSkeleton } from "./details-skeleton";
import { ProductDetails } from "./product-details";
import { Shelves } from "./shelves";
import { useRemoved } from "./use-removed";

export function DetailsPage() {
  const { id = "" } = useParams();
  const { data, error, isValidating, mutate } = useProduct(id);
  const card = useCachedCard(id);
  const toast = useToast();

  // Once for each product: every failed retry is another error.
  // The page of a missing product comes with that answer.
  const missing = data === null || (error instanceof ApiError && error.status === 404);
  // A product on screen stays there; the offline line reports a dead network.
  const product = missing ? undefined : (data ?? card);
  const asked = useRemoved(missing ? id : undefined);
  const removed = (missing && asked.data) || undefined;
  const failed = missing ? !asked.isLoading : error !== undefined && !product;
  const category = (product ?? removed)?.category;
  const categoryPath = useCategoryPath();
  const above = useShop().categories.find(({ name }) => name === category)?.parent;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another product fails anew
  useEffect(() => {
    if (failed && !removed) {
      toast({
        title: errorTitle,
        description: detailsFailedLater,
        failure: true,
      });
    }
  }, [failed, !removed, id, toast]);

  return (
    <>
      <div className="back" data-over={failed ? undefined : ""}>
        <BackButton />
        {category && (
          <nav aria-label={breadcrumb}>
            <ol className="crumbs">
              <li>
                <Link to={paths.listing}>{allDeals}</Link>
              </li>
              {above !== undefined && (
                <li>
                  <Link to={categoryPath(above)}>{above}</Link>
                </li>
              )}
              <li>
                <Link to={categoryPath(category)}>{category}</Link>
              </li>
            </ol>
          </nav>
        )}
      </div>
      {product ? (
        <ProductDetails product={product} />
      ) : failed ? (
        <>
          <PageTitle of={productNotFoundTitle} />
          <h1 tabIndex={-1} className="sr-only">
            {productTitle}
          </h1>
          <Notice title={productNotFound}>
            <p className="hint">{removed?.words ?? (missing ? maybeRemoved : shopSilent)}</p>
            {missing ? (
              <ButtonLink to={paths.listing}>{seeAllDeals}</ButtonLink>
            ) : (
              <Button disabled={isValidating} onClick={() => void mutate()}>
                {retryButton}
              </Button>
            )}
          </Notice>
          {removed ? <Shelves {...removed} /> : missing && <BestDeals />}
        </>
      ) : (
        <DetailsSkeleton />
      )}
    </>
  );
}

/** Deals in place of one that is not there; asked for by the app, since the page does not bring them. */
function BestDeals() {
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const { data: home } = useHome(isReady);
  return (
    home && (
      <Strip heading={picksHeading(home)} all={paths.listing} allLabel={allDeals} products={home.picks} />
    )
  );
}

/** Goes back within the shop, or to the list if the visitor came from elsewhere. */
function BackButton() {
  const navigate = useNavigate();
  const { key } = useLocation();
  return (
    <form
      action={paths.listing}
      onSubmit={(event) => {
        event.preventDefault();
        if (key !== "default" || cameFromHere()) {
          void navigate(-1);
        } else {
          void navigate(paths.listing);
        }
      }}
    >
      <Button type="submit" variant="plain">
        <Icon of={arrowLeft} />
        {backButton}
      </Button>
    </form>
  );
}

/** Returns true if a page of this shop, without the app, led here. */
function cameFromHere(): boolean {
  return document.referrer.startsWith(`${window.location.origin}/`) && window.history.length > 1;
}
