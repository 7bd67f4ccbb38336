import arrowDown from "icon:arrow-down";
import arrowUp from "icon:arrow-up";
import plus from "icon:plus";
import cross from "icon:x";
import { FieldArray, useFormikContext } from "formik";
import { useId } from "react";
import { maxImages } from "../../lib/constants.json";
import type { ProductFormValues } from "../../schemas/product";
import { Button } from "../../ui/button";
import { Field } from "../../ui/form/field";
import { Icon } from "../../ui/icon";
import { ProductPicture } from "../product-picture";
import { KeepCopy } from "./pictures/keep-copy";
import { PictureUpload } from "./pictures/picture-upload";

/** URLs of a product's pictures; the first one is on its card. */
export function ImageFields() {
  const { values, errors, submitCount } = useFormikContext<ProductFormValues>();
  const images = values.images;
  const errorId = useId();
  const error = typeof errors.images === "string" && submitCount > 0 ? errors.images : undefined;
  return (
    <FieldArray name="images">
      {({ push, remove, swap }) => (
        <fieldset className="flex flex-col gap-3">
          <legend className="pb-1 text-sm font-semibold">Pictures</legend>
          {images.map((address, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list
            <div key={index} className="flex flex-wrap items-start gap-2">
              <ProductPicture
                src={address.trim() || undefined}
                alt=""
                category={values.category}
                className="mt-6 size-11 shrink-0 max-mid:order-1 max-mid:mt-0"
              />
              <div className="min-w-0 flex-[1_1_6rem] max-mid:basis-full">
                <Field
                  name={`images.${index}`}
                  label={`Picture ${index + 1}`}
                  type="url"
                  inputMode="url"
                  autoComplete="off"
                  {...(error !== undefined && index === 0
                    ? { "aria-invalid": true, "aria-describedby": errorId }
                    : {})}
                />
              </div>
              <span className="mt-6 flex flex-wrap gap-2 max-mid:order-2 max-mid:mt-0 max-mid:flex-1 max-mid:justify-end max-mid:gap-1">
                <KeepCopy index={index} />
                {images.length > 1 && (
                  <>
                    {" "}
                    <Button
                      aria-label={`Move picture ${index + 1} up`}
                      disabled={index === 0}
                      onClick={() => swap(index, index - 1)}
                      className="w-11 px-0 wide:min-h-11"
                    >
                      <Icon of={arrowUp} />
                    </Button>
                    <Button
                      aria-label={`Move picture ${index + 1} down`}
                      disabled={index === images.length - 1}
                      onClick={() => swap(index, index + 1)}
                      className="w-11 px-0 wide:min-h-11"
                    >
                      <Icon of={arrowDown} />
                    </Button>
                  </>
                )}
                <Button
                  aria-label={`Remove picture ${index + 1}`}
                  onClick={() => remove(index)}
                  className="w-11 px-0 wide:min-h-11"
                >
                  <Icon of={cross} />
                </Button>
              </span>
            </div>
          ))}
          {error !== undefined && (
            <p id={errorId} role="alert" className="text-sm text-danger">
              {error}
            </p>
          )}
          <PictureUpload />
          <Button onClick={() => push("")} disabled={images.length >= maxImages} className="self-start">
            <Icon of={plus} />
            Add picture
          </Button>
        </fieldset>
      )}
    </FieldArray>
  );
}
