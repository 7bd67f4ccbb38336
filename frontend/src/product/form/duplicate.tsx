import { useFormikContext } from "formik";
import { useProduct } from "../../api/products/product";
import { paths } from "../../lib/paths";
import { Button, ButtonLink } from "../../ui/button";
import { ProductCell } from "../office/product-cell";
import { PriceLine } from "../price-line";
import { Question } from "./question";

interface DuplicateProps {
  /** Id of the seller's deal with the same link. */
  id: string;
  /** Called before the form is submitted again. */
  onAdd: () => void;
}

/** Asks before a second deal of a seller with the same link is added. */
export function Duplicate({ id, onAdd }: DuplicateProps) {
  const { submitForm } = useFormikContext();
  const { data: product } = useProduct(id);
  const again = () => {
    onAdd();
    void submitForm();
  };
  return (
    <Question title="This deal is there already.">
      {product && (
        <div className="grid gap-2">
          <ProductCell
            id={id}
            title={product.title}
            source={product.source}
            category={product.state === "live" ? product.category : `${product.category} · ${product.state}`}
            image={product.images[0]}
            titleClass="clamp-2"
            to={paths.details(id)}
            target="_blank"
          />
          <PriceLine product={product} />
        </div>
      )}
      <p className="text-sm text-ink-2">
        It has the same seller and link. What you typed is still here, and stored in this browser.
      </p>
      <div className="flex flex-wrap gap-2">
        <ButtonLink variant="primary" to={paths.updateProduct(id)} target="_blank">
          Open that one
        </ButtonLink>
        <Button onClick={again}>Add it all the same</Button>
      </div>
    </Question>
  );
}
