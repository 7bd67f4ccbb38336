import { useFormikContext } from "formik";
import type { Product } from "../../api/types";
import { fromProduct, type ProductFormValues } from "../../schemas/product";
import { Button } from "../../ui/button";
import { Question } from "./question";

interface ConflictProps {
  theirs: Product;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/** Lists the fields that differ from a version that somebody else saved meanwhile. */
export function Conflict({ theirs, onKeepMine, onTakeTheirs }: ConflictProps) {
  const { values, setFieldValue } = useFormikContext<ProductFormValues>();
  const newer = fromProduct(theirs);
  const names = Object.keys(newer) as (keyof ProductFormValues)[];
  const different = names.filter((name) => String(newer[name]) !== String(values[name]));
  return (
    <Question title="Somebody else changed this product after you opened it.">
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
    </Question>
  );
}
