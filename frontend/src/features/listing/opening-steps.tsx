import { office } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import { addProductButton, allSteps, importFile, openingForOwner } from "../../texts/en.json";
import { ButtonLink } from "../../ui/button";

/** First steps of the owner of a shop without products. */
export default function OpeningSteps() {
  return (
    <>
      <p>{openingForOwner}</p>
      <div>
        <ButtonLink to={paths.addProduct} variant="primary">
          {addProductButton}
        </ButtonLink>
        <ButtonLink to={office.files}>{importFile}</ButtonLink>
        <ButtonLink to={office.setup}>{allSteps}</ButtonLink>
      </div>
    </>
  );
}
