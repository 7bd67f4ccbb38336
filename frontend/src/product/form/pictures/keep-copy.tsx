import { useFormikContext } from "formik";
import { useRef, useState } from "react";
import { failureText, fieldErrors } from "../../../api/failure";
import { copyPicture } from "../../../api/office/pictures";
import type { ProductFormValues } from "../../../schemas/product";
import { Button } from "../../../ui/button";

const OWN = /\/picture\/[0-9a-f]{32}-\d+x\d+\.webp$/;

/** Replaces the address of a seller's picture by that of a copy that the shop keeps. */
export function KeepCopy({ index }: { index: number }) {
  const { values, setFieldValue } = useFormikContext<ProductFormValues>();
  const [state, setState] = useState<{ address: string; failure?: string }>();
  const images = useRef(values.images);
  images.current = values.images;
  const address = values.images[index]?.trim() ?? "";
  if (!/^https?:\/\//i.test(address) || OWN.test(address)) {
    return null;
  }
  const of = state?.address === address ? state : undefined;
  const isPending = of !== undefined && of.failure === undefined;
  const keep = async () => {
    setState({ address });
    try {
      const own = await copyPicture(address, values.source);
      // The row may have been moved or edited meanwhile.
      const replaced = images.current.map((each) => (each.trim() === address ? own : each));
      await setFieldValue("images", replaced);
    } catch (failure) {
      setState({ address, failure: fieldErrors(failure).url ?? failureText(failure) });
    }
  };
  return (
    <>
      <Button
        aria-label={`Keep a copy of picture ${index + 1}`}
        disabled={isPending}
        onClick={() => void keep()}
        className="max-mid:px-3 wide:min-h-11"
      >
        {isPending ? "Copying…" : "Keep a copy"}
      </Button>
      {of?.failure !== undefined && (
        <p role="alert" className="basis-full text-sm text-danger">
          {of.failure}
        </p>
      )}
    </>
  );
}
