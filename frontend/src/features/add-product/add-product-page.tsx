import type { FormikHelpers } from "formik";
import { useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { ApiError } from "../../api/client";
import { failureText, fieldErrors } from "../../api/failure";
import { useProductChanges } from "../../api/products/changes";
import { paths } from "../../lib/paths";
import { deleteDraft, readDraft } from "../../product/form/draft";
import { DraftNotice } from "../../product/form/draft-notice";
import { Duplicate } from "../../product/form/duplicate";
import { ProductForm } from "../../product/form/product-form";
import { addProductSchema, EMPTY_PRODUCT, type ProductFormValues, toInput } from "../../schemas/product";
import { OfficeScreen } from "../../ui/office-screen";
import { useToast } from "../../ui/toast/toast";

const DRAFT = "draft:add-product";

export function AddProductPage() {
  const [drafted, setDrafted] = useState(() => readDraft(DRAFT));
  const initial = drafted?.values ?? EMPTY_PRODUCT;
  const [error, setError] = useState<string>();
  const [signedOut, setSignedOut] = useState(false);
  const [duplicate, setDuplicate] = useState<string>();
  const addsDuplicate = useRef(false);
  const { add } = useProductChanges();
  const navigate = useNavigate();
  const toast = useToast();

  const submit = async (values: ProductFormValues, { setErrors }: FormikHelpers<ProductFormValues>) => {
    const unique = !addsDuplicate.current;
    addsDuplicate.current = false;
    setError(undefined);
    setSignedOut(false);
    setDuplicate(undefined);
    try {
      const product = await add(toInput(values), unique);
      deleteDraft(DRAFT);
      toast({ title: "Product added" });
      navigate(paths.details(product._id));
    } catch (failure) {
      if (failure instanceof ApiError && failure.existing !== undefined) {
        setDuplicate(failure.existing);
        return;
      }
      setErrors(fieldErrors(failure));
      setError(failureText(failure));
      setSignedOut(failure instanceof ApiError && failure.status === 401);
      toast({
        title: "Product failed",
        description: "Product has not been added successfully",
        failure: true,
      });
    }
  };

  const discard = () => {
    deleteDraft(DRAFT);
    setDrafted(undefined);
    setError(undefined);
    setDuplicate(undefined);
    // The values that come back are stored again.
    return () => undefined;
  };

  return (
    <OfficeScreen title="Add product">
      <ProductForm
        initial={initial}
        schema={addProductSchema}
        draft={DRAFT}
        error={error}
        signedOut={signedOut}
        submit="Add product"
        pending="Adding..."
        onSubmit={submit}
        drafted={drafted !== undefined}
        onDiscard={discard}
      >
        {drafted && <DraftNotice at={drafted.at} onDiscard={discard} />}
        {duplicate !== undefined && (
          <Duplicate
            id={duplicate}
            onAdd={() => {
              addsDuplicate.current = true;
            }}
          />
        )}
      </ProductForm>
    </OfficeScreen>
  );
}
