import { useState } from "react";
import { failureText } from "../../../api/failure";
import { useCatalogueChanges } from "../../../api/office/catalogue-changes";
import type { Step } from "../../../api/types";
import { office } from "../../../lib/office-paths";
import { paths } from "../../../lib/paths";
import { counted } from "../../../lib/rupees";
import { PasteLink } from "../../../product/office/paste-link";
import { Button, ButtonLink } from "../../../ui/button";
import { useToast } from "../../../ui/toast/toast";

export function ProductsStep({ step }: { step: Step }) {
  const { addDemo } = useCatalogueChanges();
  const toast = useToast();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string>();
  const demo = async () => {
    setPending(true);
    setError(undefined);
    try {
      toast({ title: `${counted(await addDemo(), "demo product", "demo products")} added` });
    } catch (failure) {
      setError(failureText(failure));
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      <PasteLink main={!step.done} />
      <ul className="setup-choices">
        <li>
          <h3>Add one by hand</h3>
          <p className="hint">With its link, price and a picture's address.</p>
          <ButtonLink to={paths.addProduct}>Add product</ButtonLink>
        </li>
        <li>
          <h3>Import a file</h3>
          <p className="hint">All at once; you see what it does before anything is changed.</p>
          <ButtonLink to={office.files}>Import</ButtonLink>
        </li>
        {step.done ? (
          <li>
            <h3>Look at it</h3>
            <p className="hint">As your visitors see it; the next steps stay here.</p>
            <ButtonLink to={paths.listing} target="_blank" variant="primary">
              Look at your shop
            </ButtonLink>
          </li>
        ) : (
          <li>
            <h3>Look around first</h3>
            <p className="hint">
              Made-up products with prices. Delete them under Products when you have your own.
            </p>
            <Button disabled={pending} onClick={() => void demo()}>
              {pending ? "Adding..." : "Add demo products"}
            </Button>
          </li>
        )}
      </ul>
      {error !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </>
  );
}
