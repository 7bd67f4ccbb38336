import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { object, string } from "yup";
import { failureText } from "../../api/failure";
import type { OwnShop } from "../../api/types";
import { line } from "../../schemas/shop";
import { fields } from "../../shop/fields.json";
import { Button } from "../../ui/button";
import { Field } from "../../ui/form/field";
import { Form } from "../../ui/form/form";

const EMPTY = { name: "", hosts: "", productId: "", tagParameter: "" };

type ShopValues = typeof EMPTY;

const schema = object({
  name: line("The name", fields.source.most).required("Please enter the seller's name."),
  hosts: string().trim().required("Please enter its address, like shop.example."),
  productId: string()
    .trim()
    .matches(/^(\/.*|\?[^=]+=)\{id\}.*$/, "Write {id} where the number stands, like /p/{id} or ?pid={id}."),
  tagParameter: string()
    .trim()
    .matches(/^[\w.-]{1,40}$/, "Please enter a name like tag or affid."),
});

interface OwnShopsProps {
  shops: OwnShop[];
  /** Saves all shops; fails with what is wrong. */
  onSave: (shops: OwnShop[]) => Promise<void>;
}

/** Shops whose links the program does not know by itself. */
export function OwnShops({ shops, onSave }: OwnShopsProps) {
  const [error, setError] = useState<string>();
  const save = async (next: OwnShop[]) => {
    setError(undefined);
    try {
      await onSave(next);
      return true;
    } catch (failure) {
      setError(failureText(failure));
      return false;
    }
  };
  const add = async (values: ShopValues, { resetForm }: FormikHelpers<ShopValues>) => {
    const name = values.name.trim();
    const shop: OwnShop = {
      name,
      hosts: values.hosts.split(/[\s,]+/).filter(Boolean),
      productId: values.productId.trim(),
      tagParameter: values.tagParameter.trim(),
    };
    if (await save([...shops.filter((other) => other.name !== name), shop])) {
      resetForm();
    }
  };
  return (
    <section aria-label="Other sellers" className="pane">
      <div className="pane-head">
        <h2>Other sellers</h2>
        <p className="quiet">For sellers whose links are not recognized</p>
      </div>
      {shops.length > 0 && (
        <ul className="max-w-[40rem] pb-3 wrap-anywhere">
          {shops.map((shop) => (
            <li key={shop.name} className="line items-center gap-2">
              <p>
                <strong className="font-semibold">{shop.name}</strong>{" "}
                <span className="quiet">
                  {shop.hosts.join(", ")} · {shop.productId} · {shop.tagParameter}
                </span>
              </p>
              <Button
                variant="plain"
                aria-label={`Remove ${shop.name}`}
                onClick={() => void save(shops.filter((other) => other !== shop))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="rules">
        <details>
          <summary>Describe a seller's links</summary>
          <Formik initialValues={EMPTY} validationSchema={schema} onSubmit={add}>
            <Form error={error} submit="Add seller" pending="Saving...">
              <ShopFields />
            </Form>
          </Formik>
        </details>
      </div>
    </section>
  );
}

function ShopFields() {
  return (
    <>
      <Field name="name" label="Seller" hint="As written in its deals" autoComplete="off" />
      <Field
        name="hosts"
        label="Web address"
        hint="Like shop.example; separate several with commas"
        autoComplete="off"
      />
      <Field
        name="productId"
        label="Where its links have the product's number"
        hint="Like /p/{id} or ?pid={id}: {id} stands for the number"
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        name="tagParameter"
        label="Where its links have your affiliate tag"
        hint="The word before the = sign, like tag, affid or ref"
        autoComplete="off"
        spellCheck={false}
      />
    </>
  );
}
