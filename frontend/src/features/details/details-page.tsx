// Mirrored by src/http/pages/details.rs

import arrowLeft from "icon:arrow-left";
import { useEffect } from "react";
import { useLocation, useNavigate, useParams } from "react-router-dom";
import { ApiError } from "../../api/client";
import { useProduct } from "../../api/products";
import { paths } from "../../lib/paths";
import { Button, ButtonLink } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { Notice } from "../../ui/notice";
import { useToast } from "../../ui/toast/toast";
import { DetailsSkeleton } from "./details-skeleton";
import { ProductDetails } from "./product-details";

export function DetailsPage() {
  const { id = "" } = useParams();
  const { data, error, isValidating, mutate } = useProduct(id);
  const toast = useToast();

  // Once for each product: every retry that fails brings another error.
  // The page of a product that isn't comes with the answer that it is missing.
  const missing = data === null || (error instanceof ApiError && error.status === 404);
  const failed = missing || error !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another product fails anew
  useEffect(() => {
    if (failed) {
      toast({
        title: "Error",
        description: "Failed to load product details. Please try again later.",
        failure: true,
      });
    }
  }, [failed, id, toast]);

  return (
    <>
      <div className="back">
        <BackButton />
      </div>
      {data && !missing ? (
        <ProductDetails product={data} />
      ) : failed ? (
        <>
          <title>Product not found · Deals</title>
          <h1 tabIndex={-1} className="sr-only">
            Product
          </h1>
          <Notice title="Product not found.">
            <p className="hint">
              {missing ? "It may have been removed from the shop." : "The shop did not answer."}
            </p>
            {missing ? (
              <ButtonLink to={paths.listing}>See all deals</ButtonLink>
            ) : (
              <Button disabled={isValidating} onClick={() => void mutate()}>
                Try again
              </Button>
            )}
          </Notice>
        </>
      ) : (
        <DetailsSkeleton />
      )}
    </>
  );
}

/** Back to where the visitor was in the shop, or to the list for who came from elsewhere. */
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
      <Button type="submit" look="plain">
        <Icon of={arrowLeft} />
        Back
      </Button>
    </form>
  );
}

/** Whether a page of this shop, without the app, led here. */
function cameFromHere(): boolean {
  return document.referrer.startsWith(`${window.location.origin}/`) && window.history.length > 1;
}
