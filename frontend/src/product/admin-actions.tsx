import { useState } from "react";
import { failureText } from "../api/failure";
import { useProductChanges } from "../api/products/changes";
import type { Card, Product } from "../api/types";
import { paths } from "../lib/paths";
import { Button, ButtonLink } from "../ui/button";
import { Confirm } from "../ui/dialog";
import { useToast } from "../ui/toast/toast";

export interface AdminActionsProps {
  /** Of a card, the form fetches the full product. */
  product: Product | Card;
  onDeleted?: () => void;
}

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
        variant="plain"
        to={paths.updateProduct(product._id)}
        state={"excerpt" in product ? undefined : { product }}
      >
        Update
      </ButtonLink>
      <Button variant="danger" onClick={() => setAsking(true)}>
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
