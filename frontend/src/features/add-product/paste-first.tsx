import { useFormikContext } from "formik";
import { linksIn } from "../../product/form/capture/links";
import { PasteLink } from "../../product/office/paste-link";
import type { ProductFormValues } from "../../schemas/product";

/**
 * The field for a link above a form without one. It opens an untouched form anew with all that the text says;
 * a form with content gets the link only, so that nothing typed is lost.
 */
export function PasteFirst({ drafted }: { drafted: boolean }) {
  const { dirty, values, setValues, setFieldTouched } = useFormikContext<ProductFormValues>();
  const fill = async (text: string) => {
    await setValues({ ...values, affiliateLink: linksIn(text)[0] ?? text });
    await setFieldTouched("affiliateLink");
    document.querySelector<HTMLElement>("form [name=affiliateLink]")?.focus();
  };
  return (
    // Only hidden: what is typed in it is there again when the link is taken out.
    <div className="mb-4" hidden={values.affiliateLink !== ""}>
      <PasteLink action="Fill in" onText={dirty || drafted ? (text) => void fill(text) : undefined} />
    </div>
  );
}
