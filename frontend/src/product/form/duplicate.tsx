import { useFormikContext } from "formik";
import { useState } from "react";
import { failureText } from "../../api/failure";
import { useCatalogueChanges } from "../../api/office/catalogue-changes";
import { useProduct } from "../../api/products/product";
import { paths } from "../../lib/paths";
import { rupees } from "../../lib/rupees";
import type { ProductFormValues } from "../../schemas/product";
import { Button, ButtonLink } from "../../ui/button";
import { ProductCell } from "../office/product-cell";
import { pricesOf } from "./price-fields";
import { Question } from "./question";

interface DuplicateProps {
  /** Id of the seller's deal with the same link. */
  id: string;
  /** Called before the form is submitted again. */
  onAdd: () => void;
  /** Called when that deal has the typed price. */
  onUpdated: () => void;
}

/** Asks before a second deal of a seller with the same link is added. */
export function Duplicate({ id, onAdd, onUpdated }: DuplicateProps) {
  const { submitForm, values } = useFormikContext<ProductFormValues>();
  const { data: product, mutate } = useProduct(id);
  const { edit } = useCatalogueChanges();
  const [error, setError] = useState<string>();
  const [pending, setPending] = useState(false);
  const typed = pricesOf(values);
  const again = () => {
    onAdd();
    void submitForm();
  };
  const update = async () => {
    setPending(true);
    setError(undefined);
    try {
      if (product) {
        await edit(product, typed);
        onUpdated();
      }
    } catch (failure) {
      setError(failureText(failure));
      // Somebody else may have changed it.
      await mutate();
    } finally {
      setPending(false);
    }
  };
  return (
    <Question title="This deal already exists.">
      {product && (
        <>
          <ProductCell
            id={id}
            title={product.title}
            source={product.source}
            category={product.state === "live" ? product.category : `${product.category} · ${product.state}`}
            image={product.images[0]}
            to={paths.details(id)}
            target="_blank"
          />
          <dl className="grid grid-cols-2 gap-3 *:first:border-line *:first:border-r">
            <Price name="Old price" of={product} />
            <Price name="New price" of={typed} />
          </dl>
        </>
      )}
      <p className="text-sm text-ink-2">
        It has the same seller and link. What you typed is still here, and stored in this browser.
      </p>
      {error !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" disabled={!product || pending} onClick={() => void update()}>
          Update the price of that one
        </Button>
        <ButtonLink to={paths.updateProduct(id)} target="_blank">
          Open that one
        </ButtonLink>
        <Button onClick={again}>Add it all the same</Button>
      </div>
    </Question>
  );
}

function Price({ name, of }: { name: string; of: { price: number; finalPrice: number } }) {
  return (
    <div>
      <dt className="text-ink-2">{name}</dt>
      <dd className="price">
        <span>{rupees(of.finalPrice)}</span>
        {of.price > of.finalPrice && <s>{rupees(of.price)}</s>}
      </dd>
    </div>
  );
}
