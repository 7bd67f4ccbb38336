import { useFormikContext } from "formik";
import { useEffect, useRef } from "react";
import type { Product } from "../../api/types";
import { fromProduct, type ProductFormValues } from "../../schemas/product";
import { Button } from "../../ui/button";

interface ConflictProps {
  theirs: Product;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/** Lists the fields that differ from a version that somebody else saved meanwhile. */
export function Conflict({ theirs, onKeepMine, onTakeTheirs }: ConflictProps) {
  const { values, setFieldValue } = useFormikContext<ProductFormValues>();
  const section = useRef<HTMLElement>(null);
  // The submit button is at the end of the form.
  useEffect(() => {
    section.current?.scrollIntoView({ block: "start" });
    section.current?.focus({ preventScroll: true });
  }, []);
  const newer = fromProduct(theirs);
  const names = Object.keys(newer) as (keyof ProductFormValues)[];
  const different = names.filter((name) => String(newer[name]) !== String(values[name]));
  return (
    <section ref={section} tabIndex={-1} aria-labelledby="conflict" className="panel mb-4">
      <h2 id="conflict">Somebody else changed this product after you opened it.</h2>
      <p className="text-sm text-ink-2">What you typed is still here. Take over what you want of theirs.</p>
      <ul className="text-sm">
        {different.map((name) => (
          <li key={name} className="border-t border-line py-2">
            <p className="font-semibold">{name}</p>
            <p className="line-clamp-3 break-words">{`Mine: ${String(values[name])}`}</p>
            <p className="line-clamp-3 break-words">{`Theirs: ${String(newer[name])}`}</p>
            <Button variant="plain" onClick={() => void setFieldValue(name, newer[name])}>
              {`Take their ${name}`}
            </Button>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={onKeepMine}>
          Go on with mine
        </Button>
        <Button onClick={onTakeTheirs}>Load the newer version</Button>
      </div>
    </section>
  );
}
