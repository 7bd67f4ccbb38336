import { useState } from "react";
import type { Card } from "../api/cards";
import { failureText } from "../api/failure";
import { type Product, useProductChanges } from "../api/products";
import { paths } from "../lib/paths";
import { Button, ButtonLink } from "../ui/button";
import { Confirm } from "../ui/dialog";
import { useToast } from "../ui/toast/toast";

export interface AdminActionsProps {
  /** The form is filled from a whole product; of a card it is fetched. */
  product: Product | Card;
  /** Called once the product is gone. */
  onDeleted?: () => void;
}

/** Update and Delete. */
export default function AdminActions({ product, onDeleted }: AdminActionsProps) {
  const { remove } = useProductChanges();
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const [error, setError] = useState<string>();

  const deleteIt = async () => {
    setAsking(false);
    setError(undefined);
    try {
      await remove(product._id);
      onDeleted?.();
      toast({
        title: "Product deleted successfully",
        description: "Please refresh the page to see the changes.",
      });
    } catch (failure) {
      setError(failureText(failure));
      toast({
        title: "Failed to delete product",
        description: "failed to delete product please try again later",
        failure: true,
      });
    }
  };

  return (
    <div className="card-admin">
      <ButtonLink
        look="plain"
        to={paths.updateProduct(product._id)}
        state={"excerpt" in product ? undefined : { product }}
      >
        Update
      </ButtonLink>
      <Button look="danger" onClick={() => setAsking(true)}>
        Delete
      </Button>
      {error !== undefined && (
        <p role="alert" className="w-full text-sm text-danger">
          {error}
        </p>
      )}
      {asking && (
        <Confirm
          title="Delete this product?"
          confirm="Delete"
          onConfirm={() => void deleteIt()}
          onCancel={() => setAsking(false)}
        >
          {product.title}
        </Confirm>
      )}
    </div>
  );
}
