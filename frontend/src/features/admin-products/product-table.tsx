import type { Product } from "../../api/products";
import { paths } from "../../lib/paths";
import { counted, rupees, saving } from "../../lib/rupees";
import { classNames } from "../../ui/class-names";
import { Link } from "../../ui/link";

interface ProductTableProps {
  products: Product[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

const DATE = new Intl.DateTimeFormat("en-IN", { dateStyle: "medium" });
const HEADINGS = [
  "Title",
  "Price",
  "Discount",
  "Final price",
  "Category",
  "Source",
  "Clicks",
  "Added",
  "Changed",
];
const OF_NUMBERS = new Set(["Price", "Discount", "Final price", "Clicks"]);
const NUMBER = "tabular px-2 py-1 text-right whitespace-nowrap";
const TEXT = "px-2 py-1 whitespace-nowrap";

export function ProductTable({ products, chosen, onChoose }: ProductTableProps) {
  const all = products.length > 0 && products.every(({ _id }) => chosen.has(_id));
  const toggle = (ids: string[], on: boolean) => {
    const next = new Set(chosen);
    for (const id of ids) {
      if (on) {
        next.add(id);
      } else {
        next.delete(id);
      }
    }
    onChoose(next);
  };
  return (
    <section aria-label="Products" className="product-table">
      <table className="w-full text-sm">
        <thead className="text-left text-ink-3">
          <tr>
            <th className="w-11">
              <Checkbox
                label="Choose all on this page"
                checked={all}
                onChange={(on) =>
                  toggle(
                    products.map(({ _id }) => _id),
                    on,
                  )
                }
              />
            </th>
            {HEADINGS.map((heading) => (
              <th
                key={heading}
                className={classNames(
                  "px-2 font-normal whitespace-nowrap",
                  OF_NUMBERS.has(heading) && "text-right",
                )}
              >
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {products.map((product) => (
            <tr key={product._id}>
              <td>
                <Checkbox
                  label={`Choose ${product.title}`}
                  checked={chosen.has(product._id)}
                  onChange={(on) => toggle([product._id], on)}
                />
              </td>
              <td className="product-title">
                <Link
                  to={paths.updateProduct(product._id)}
                  state={{ product }}
                  className="clamp-2 font-semibold"
                >
                  {product.title}
                </Link>
              </td>
              <td className={classNames(NUMBER, "wide-cell")}>{rupees(product.price)}</td>
              <td className={NUMBER}>{saving(product.discount)}</td>
              <td className={NUMBER}>{rupees(product.finalPrice)}</td>
              <td className={classNames(TEXT, "wide-cell")}>{product.category}</td>
              <td className={TEXT}>{product.source}</td>
              <td className={NUMBER}>{counted(product.clicks, "Click", "Clicks")}</td>
              <td className={classNames(TEXT, "wide-cell")}>{DATE.format(new Date(product.createdAt))}</td>
              <td className={classNames(TEXT, "wide-cell")}>{DATE.format(new Date(product.updatedAt))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface CheckboxProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function Checkbox({ label, checked, onChange }: CheckboxProps) {
  return (
    <label className="grid size-11 place-items-center">
      <span className="sr-only">{label}</span>
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 accent-accent"
      />
    </label>
  );
}
