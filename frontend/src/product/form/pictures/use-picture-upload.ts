import { useFormikContext } from "formik";
import { useRef, useState } from "react";
import { ApiError } from "../../../api/client";
import { failureText } from "../../../api/failure";
import { addPicture } from "../../../api/office/pictures";
import { maxImages } from "../../../lib/constants.json";
import type { ProductFormValues } from "../../../schemas/product";

/** Uploads pictures, one by one, and adds their addresses to the form. */
export function usePictureUpload() {
  const { values, setFieldValue } = useFormikContext<ProductFormValues>();
  const [waiting, setWaiting] = useState(0);
  const [failures, setFailures] = useState<readonly string[]>([]);
  // Read after each upload, because addresses may be typed meanwhile.
  const images = useRef(values.images);
  images.current = values.images;

  const add = async (file: File) => {
    if (images.current.filter(Boolean).length >= maxImages) {
      throw new ApiError("At most 20 pictures are allowed.", 400);
    }
    const address = await addPicture(file);
    const others = images.current.filter((each) => each.trim() !== "" && each !== address);
    images.current = [...others, address];
    await setFieldValue("images", images.current);
  };

  /** Returns true if all were added. */
  const upload = async (files: readonly File[]): Promise<boolean> => {
    let added = 0;
    setFailures([]);
    setWaiting((count) => count + files.length);
    for (const file of files) {
      try {
        await add(file);
        added += 1;
      } catch (failure) {
        setFailures((all) => [...all, `${file.name}: ${failureText(failure)}`]);
      }
      setWaiting((count) => count - 1);
    }
    return added === files.length;
  };
  return { upload, waiting, failures };
}
