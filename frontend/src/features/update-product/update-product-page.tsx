import type { FormikHelpers } from "formik";
import { useState } from "react";
import { useLocation, useNavigate, useParams } from "react-router-dom";
import { ApiError } from "../../api/client";
import { failureText, fieldErrors } from "../../api/failure";
import { useProductChanges } from "../../api/products/changes";
import { useProduct } from "../../api/products/product";
import type { Product } from "../../api/types";
import { paths } from "../../lib/paths";
import { Conflict } from "../../product/form/conflict";
import { deleteDraft, readDraft } from "../../product/form/draft";
import { DraftNotice } from "../../product/form/draft-notice";
import { FormerPrices } from "../../product/form/former-prices";
import { ProductForm } from "../../product/form/product-form";
import { fromProduct, type ProductFormValues, toInput, updateProductSchema } from "../../schemas/product";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { OfficeScreen } from "../../ui/office-screen";
import { useToast } from "../../ui/toast/toast";

/** Form of a product that was passed by the navigation, or is fetched by its id. */
export function UpdateProductPage() {
  const { productId = "" } = useParams();
  const handed = (useLocation().state as { product?: Product } | null)?.product;
  const known = handed?._id === productId ? handed : undefined;
  const { data, error, mutate } = useProduct(productId, {
    ...(known ? { fallbackData: known } : {}),
    // A refetch would overwrite what is being typed.
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
    revalidateIfStale: known === undefined,
  });
  if (data) {
    return <UpdateForm key={data._id} opened={data} reload={() => mutate()} />;
  }
  return (
    <OfficeScreen title="Update product">
      {error ? (
        <Notice title="Product not found.">
          <Button onClick={() => void mutate()}>Retry</Button>
        </Notice>
      ) : (
        <p role="status" className="text-sm text-ink-3">
          Loading...
        </p>
      )}
    </OfficeScreen>
  );
}

interface UpdateFormProps {
  opened: Product;
  reload: () => Promise<Product | null | undefined>;
}

function UpdateForm({ opened, reload }: UpdateFormProps) {
  const draft = `draft:update-product:${opened._id}`;
  const [stored] = useState(() => readDraft(draft));
  // The version that the typed values change, whatever is fetched meanwhile.
  const [version, setVersion] = useState(stored?.version ?? opened.updatedAt);
  const [initial, setInitial] = useState(stored?.values ?? fromProduct(opened));
  const [error, setError] = useState<string>();
  const [theirs, setTheirs] = useState<Product>();
  const [drafted, setDrafted] = useState(stored);
  const { update } = useProductChanges();
  const navigate = useNavigate();
  const toast = useToast();

  const submit = async (values: ProductFormValues, { setErrors }: FormikHelpers<ProductFormValues>) => {
    setError(undefined);
    try {
      await update(opened._id, { ...toInput(values), updatedAt: version });
      deleteDraft(draft);
      toast({ title: "Product updated successfully" });
      navigate(paths.listing);
    } catch (failure) {
      setErrors(fieldErrors(failure));
      setError(failureText(failure));
      if (failure instanceof ApiError && failure.status === 409) {
        setTheirs((await reload()) ?? undefined);
      }
      toast({
        title: "Failed to update product",
        description: "failed to update product please try again later",
        failure: true,
      });
    }
  };

  const begin = (product: Product) => {
    deleteDraft(draft);
    setDrafted(undefined);
    setVersion(product.updatedAt);
    setInitial(fromProduct(product));
    setTheirs(undefined);
    setError(undefined);
  };

  const keepMine = (newer: Product) => {
    setVersion(newer.updatedAt);
    setTheirs(undefined);
    setError(undefined);
  };

  return (
    <OfficeScreen title="Update product">
      <ProductForm
        initial={initial}
        schema={updateProductSchema}
        draft={draft}
        own={opened._id}
        version={version}
        error={error}
        submit="Update product"
        pending="Updating..."
        onSubmit={submit}
      >
        {drafted && !theirs && <DraftNotice at={drafted.at} onDiscard={() => begin(opened)} />}
        {theirs && (
          <Conflict theirs={theirs} onKeepMine={() => keepMine(theirs)} onTakeTheirs={() => begin(theirs)} />
        )}
      </ProductForm>
      <FormerPrices id={opened._id} />
    </OfficeScreen>
  );
}
