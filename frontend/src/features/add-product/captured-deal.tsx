import { useState } from "react";
import { useCategoryLike } from "../../api/office/catalogue";
import { Captured } from "../../product/form/capture/captured";
import { readDeal } from "../../product/form/capture/deal";
import { AddForm, type AddFormProps } from "./add-form";

/** The form with a deal from outside. */
export default function CapturedDeal(props: AddFormProps) {
  const [deal] = useState(() => readDeal(props.fields, window.location.origin));
  const { data, error } = useCategoryLike(deal.words);
  return (
    <AddForm {...props} given={deal.values} words={deal.words}>
      <Captured
        deal={deal}
        settled={deal.words === "" || Boolean(data ?? error)}
        hasCategory={Boolean(data?.category)}
      />
    </AddForm>
  );
}
