import { type ReactNode, useState } from "react";
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
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,15rem),1fr))] gap-3">
        <Choice title="Add one by hand" hint="With its link, price and a picture's address.">
          <ButtonLink to={paths.addProduct}>Add product</ButtonLink>
        </Choice>
        <Choice title="Import a file" hint="All at once; you see what it does before anything is changed.">
          <ButtonLink to={office.files}>Import</ButtonLink>
        </Choice>
        {step.done ? (
          <Choice title="Look at it" hint="As your visitors see it; the next steps stay here.">
            <ButtonLink to={paths.listing} target="_blank" variant="primary">
              Look at your shop
            </ButtonLink>
          </Choice>
        ) : (
          <Choice
            title="Look around first"
            hint="Made-up products with prices. Delete them under Products when you have your own."
          >
            <Button disabled={pending} onClick={() => void demo()}>
              {pending ? "Adding..." : "Add demo products"}
            </Button>
          </Choice>
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

function Choice({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <li className="flex flex-col items-start gap-2 rounded-[16px] border border-line p-4 [&>.btn]:mt-auto">
      <h3>{title}</h3>
      <p className="hint">{hint}</p>
      {children}
    </li>
  );
}
