import { office } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import { ButtonLink } from "../../ui/button";

/** First steps of the owner of a shop without products. */
export default function OpeningSteps() {
  return (
    <>
      <p>Visitors see this until the shop has a product.</p>
      <div>
        <ButtonLink to={paths.addProduct} variant="primary">
          Add product
        </ButtonLink>
        <ButtonLink to={office.files}>Import a file</ButtonLink>
        <ButtonLink to={office.setup}>All steps</ButtonLink>
      </div>
    </>
  );
}
