import { type FormikHelpers, useFormikContext } from "formik";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { useSWRConfig } from "swr";
import { ApiError } from "../../api/client";
import { failureText, fieldErrors } from "../../api/failure";
import { useProductChanges } from "../../api/products/changes";
import { store, stored } from "../../lib/device/storage";
import { office } from "../../lib/office-paths";
import { isFromOffice, paths } from "../../lib/paths";
import { captureAddress } from "../../product/form/capture/arrival";
import { draftOf, forgetDeal } from "../../product/form/capture/waiting";
import { WaitingDeals } from "../../product/form/capture/waiting-deals";
import { deleteDraft, readDraft, storeDraft } from "../../product/form/draft";
import { DraftNotice } from "../../product/form/draft-notice";
import { Duplicate } from "../../product/form/duplicate";
import { ProductForm } from "../../product/form/product-form";
import { addProductSchema, EMPTY_PRODUCT, type ProductFormValues, toInput } from "../../schemas/product";
import { useCategoryNames } from "../../shop/categories";
import { Button } from "../../ui/button";
import { OfficeScreen } from "../../ui/office-screen";
import { useToast } from "../../ui/toast/toast";
import { PasteFirst } from "./paste-first";

/** Storage key of the status with which the last deal was added. */
const STATUS = "new-deals";

const FAILED = {
  title: "Product failed",
  description: "Product has not been added successfully",
  failure: true,
};

export interface AddFormProps {
  /** Fields of a deal from outside; empty without one. */
  fields: string;
  /** The form follows one that was added. */
  next: boolean;
  onAnother: () => void;
  /** Values that came from outside. */
  given?: Partial<ProductFormValues>;
  /** Words that came from outside, for the category. */
  words?: string;
  children?: ReactNode;
}

/** The values with which the form begins, and what was typed here before. */
function useTyped(fields: string, came: Partial<ProductFormValues> | undefined, onDiscarded: () => void) {
  const [drafted, setDrafted] = useState(() => readDraft(draftOf(fields)));
  const [given, setGiven] = useState<ProductFormValues>(() => ({
    ...EMPTY_PRODUCT,
    status: stored(STATUS) === "draft" ? "draft" : "live",
    ...came,
  }));
  const { mutate } = useSWRConfig();
  const navigate = useNavigate();

  const suggested = (values: ProductFormValues) =>
    drafted ? setDrafted({ ...drafted, values }) : setGiven(values);

  const forget = () => forgetDeal(fields).then(() => mutate("waiting-deals"));

  const discardTyped = () => {
    deleteDraft(draftOf(fields));
    setDrafted(undefined);
    onDiscarded();
  };

  const discard = () => {
    const typed = readDraft(draftOf(fields));
    discardTyped();
    void forget();
    if (fields === "") {
      // The values that come back are stored again.
      return () => undefined;
    }
    void navigate(paths.addProduct, { replace: true });
    return () => {
      if (typed) {
        storeDraft(draftOf(fields), typed);
      }
      void navigate(captureAddress(fields), { replace: true });
    };
  };
  return { drafted, initial: drafted?.values ?? given, suggested, forget, discardTyped, discard };
}

/** Focuses the first field of a form that follows another. */
function useFocus(next: boolean): void {
  useEffect(() => {
    if (next) {
      document.querySelector<HTMLElement>("form [name=title]")?.focus();
    }
  }, [next]);
}

/** The form of a new deal. */
export function AddForm({ fields, next, onAnother, given: came, words = "", children }: AddFormProps) {
  const categories = useCategoryNames();
  const [error, setError] = useState<string>();
  const [duplicate, setDuplicate] = useState<string>();
  const { drafted, initial, suggested, forget, discardTyped, discard } = useTyped(fields, came, () => {
    setError(undefined);
    setDuplicate(undefined);
  });
  const [addsDuplicate, addsAnother] = [useRef(false), useRef(false)];
  const { add } = useProductChanges();
  const navigate = useNavigate();
  const { state } = useLocation();
  const toast = useToast();
  useFocus(next);

  const submit = async (values: ProductFormValues, { setErrors }: FormikHelpers<ProductFormValues>) => {
    const unique = !addsDuplicate.current;
    addsDuplicate.current = false;
    setError(undefined);
    setDuplicate(undefined);
    try {
      const product = await add(toInput(values), unique);
      store(STATUS, values.status);
      await forget();
      toast({ title: "Product added" });
      if (addsAnother.current) {
        onAnother();
      } else if (isFromOffice(state)) {
        const list = product.state === "live" ? "" : `?state=${product.state}`;
        const { _id, title, state } = product;
        navigate(office.products + list, { state: { added: { _id, title, live: state === "live" } } });
      } else {
        navigate(paths.details(product._id));
      }
    } catch (failure) {
      if (failure instanceof ApiError && failure.existing !== undefined) {
        setDuplicate(failure.existing);
        return;
      }
      setErrors(fieldErrors(failure));
      setError(failureText(failure));
      toast(FAILED);
    }
  };

  const updated = (id: string) => {
    void forget();
    toast({ title: "Product updated successfully" });
    navigate(paths.details(id));
  };

  return (
    <OfficeScreen title="Add product">
      <ProductForm
        initial={initial}
        schema={addProductSchema(categories)}
        draft={draftOf(fields)}
        error={error}
        submit="Add product"
        pending="Adding..."
        category={{ words, onSuggested: suggested }}
        givenLink={Boolean(came?.affiliateLink)}
        drafted={drafted !== undefined || came !== undefined}
        onDiscard={discard}
        beside={<AddAnother wanted={addsAnother} />}
        onSubmit={submit}
      >
        <div className="mb-4 empty:hidden">
          <WaitingDeals but={fields} />
        </div>
        {fields === "" && <PasteFirst drafted={drafted !== undefined} />}
        {children}
        {drafted && <DraftNotice at={drafted.at} onDiscard={discardTyped} />}
        {duplicate !== undefined && (
          <Duplicate
            id={duplicate}
            onAdd={() => {
              addsDuplicate.current = true;
            }}
            onUpdated={() => updated(duplicate)}
          />
        )}
      </ProductForm>
    </OfficeScreen>
  );
}

/** Submits the form and then empties it for the next deal. */
function AddAnother({ wanted }: { wanted: { current: boolean } }) {
  const { submitForm, isSubmitting } = useFormikContext();
  const press = async () => {
    wanted.current = true;
    await submitForm();
    wanted.current = false;
  };
  return (
    <Button disabled={isSubmitting} onClick={() => void press()} className="self-start">
      Save and add another
    </Button>
  );
}
