import { useState } from "react";
import { type Product, useProductChanges } from "../api/products";
import { paths } from "../lib/paths";
import { Button, ButtonLink } from "../ui/button";
import { Confirm } from "../ui/dialog";
import { useToast } from "../ui/toast/toast";

export interface AdminActionsProps {
  product: Product;
  /** Called once the product is gone. */
  onDeleted?: () => void;
}

/** Update and Delete. */
export default function AdminActions({ product, onDeleted }: AdminActionsProps) {
  const { remove } = useProductChanges();
  const toast = useToast();
  const [asking, setAsking] = useState(false);

  const deleteIt = async () => {
    setAsking(false);
    try {
      await remove(product._id);
      onDeleted?.();
      toast({
        title: "Product deleted successfully",
        description: "Please refresh the page to see the changes.",
      });
    } catch {
      toast({
        title: "Failed to delete product",
        description: "failed to delete product please try again later",
        failure: true,
      });
    }
  };

  return (
    <div className="relative col-span-2 flex gap-2">
      <ButtonLink to={paths.updateProduct(product._id)} state={{ product }} className="flex-1">
        Update
      </ButtonLink>
      <Button look="danger" onClick={() => setAsking(true)} className="flex-1">
        Delete
      </Button>
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
