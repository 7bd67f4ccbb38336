import type { FormikHelpers } from "formik";
import { useState } from "react";
import { useLocation, useNavigate, useParams } from "react-router-dom";
import { ApiError } from "../../api/client";
import { failureText, fieldErrors } from "../../api/failure";
import { useProductChanges } from "../../api/products/changes";
import { useProduct } from "../../api/products/product";
import type { Product } from "../../api/types";
import { office } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import { type Clash, Conflict } from "../../product/form/conflict";
import { deleteDraft, readDraft } from "../../product/form/draft";
import { DraftNotice } from "../../product/form/draft-notice";
import { FormerPrices } from "../../product/form/former-prices";
import { merge, withParts } from "../../product/form/merge";
import { ProductForm } from "../../product/form/product-form";
import { fromProduct, type ProductFormValues, toInput, updateProductSchema } from "../../schemas/product";
import { useCategoryNames } from "../../shop/categories";
import { ButtonLink } from "../../ui/button";
import { Loaded } from "../../ui/loaded";
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
      <Loaded call={{ data: undefined, error, mutate }} failure="Product not found.">
        {() => null}
      </Loaded>
    </OfficeScreen>
  );
}

interface UpdateFormProps {
  opened: Product;
  reload: () => Promise<Product | null | undefined>;
}

/** The version from which the form begins, and saving on top of newer ones. */
function useVersions({ opened, reload }: UpdateFormProps, draft: string) {
  const [stored] = useState(() => readDraft(draft));
  // The version that the typed values change, whatever is fetched meanwhile.
  const [version, setVersion] = useState(stored?.version ?? opened.updatedAt);
  // Unknown for the draft of a former version that was stored without it.
  const [base, setBase] = useState(
    stored === undefined || stored.version === opened.updatedAt ? fromProduct(opened) : stored.base,
  );
  const [initial, setInitial] = useState(stored?.values ?? fromProduct(opened));
  const [clash, setClash] = useState<Clash>();
  const [drafted, setDrafted] = useState(stored);
  const { update } = useProductChanges();

  /**
   * Saves the values, on top of a newer version if only other fields were changed in it; else shows what
   * both changed, and returns false.
   */
  const save = async (values: ProductFormValues, { setValues }: FormikHelpers<ProductFormValues>) => {
    try {
      await update(opened._id, { ...toInput(values), updatedAt: version });
      return true;
    } catch (failure) {
      const theirs = failure instanceof ApiError && failure.status === 409 ? await reload() : undefined;
      if (!theirs) {
        throw failure;
      }
      const newer = fromProduct(theirs);
      const { values: merged, taken, conflicts } = merge(base, values, newer);
      if (conflicts.length === 0) {
        await update(opened._id, { ...toInput(merged), updatedAt: theirs.updatedAt });
        return true;
      }
      setClash({ theirs, mine: values, taken, conflicts });
      if (base !== undefined) {
        setBase(withParts(newer, base, conflicts));
      }
      await setValues(merged);
      return false;
    }
  };

  const goOnFrom = (product: Product) => {
    setVersion(product.updatedAt);
    setBase(fromProduct(product));
  };

  const begin = (product: Product) => {
    deleteDraft(draft);
    setDrafted(undefined);
    goOnFrom(product);
    setInitial(fromProduct(product));
    setClash(undefined);
  };

  const discard = () => {
    begin(opened);
    return () => {
      setVersion(version);
      setBase(base);
      setClash(clash);
    };
  };

  return { version, base, initial, clash, drafted, save, goOnFrom, begin, discard };
}

function UpdateForm({ opened, reload }: UpdateFormProps) {
  const categories = useCategoryNames();
  const draft = `draft:update-product:${opened._id}`;
  const { version, base, initial, clash, drafted, save, goOnFrom, ...versions } = useVersions(
    { opened, reload },
    draft,
  );
  const [error, setError] = useState<string>();
  const navigate = useNavigate();
  const toast = useToast();

  const submit = async (values: ProductFormValues, helpers: FormikHelpers<ProductFormValues>) => {
    setError(undefined);
    try {
      if (await save(values, helpers)) {
        deleteDraft(draft);
        toast({ title: "Product updated successfully" });
        navigate(paths.listing);
        return;
      }
    } catch (failure) {
      helpers.setErrors(fieldErrors(failure));
      setError(failureText(failure));
    }
    toast({
      title: "Failed to update product",
      description: "failed to update product please try again later",
      failure: true,
    });
  };

  const begin = (product: Product) => {
    versions.begin(product);
    setError(undefined);
  };

  const discard = () => {
    setError(undefined);
    return versions.discard();
  };

  return (
    <OfficeScreen
      title="Update product"
      actions={
        <>
          <ButtonLink to={office.products}>All products</ButtonLink>
          <ButtonLink to={paths.details(opened._id)}>View in the shop</ButtonLink>
        </>
      }
    >
      <ProductForm
        initial={initial}
        schema={updateProductSchema(categories)}
        draft={draft}
        own={opened}
        version={version}
        base={base}
        error={error}
        submit="Update product"
        pending="Updating..."
        onSubmit={submit}
        drafted={drafted !== undefined}
        onDiscard={discard}
      >
        {drafted && !clash && <DraftNotice at={drafted.at} onDiscard={() => begin(opened)} />}
        {clash && (
          <Conflict
            key={clash.theirs.updatedAt}
            clash={clash}
            onChosen={() => goOnFrom(clash.theirs)}
            onTakeTheirs={() => begin(clash.theirs)}
          />
        )}
      </ProductForm>
      <FormerPrices id={opened._id} />
    </OfficeScreen>
  );
}
