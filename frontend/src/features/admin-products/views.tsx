import { office } from "../../lib/office-paths";
import { Link } from "../../ui/link";

/** What of the products is looked through. */
export const VIEWS = [
  { value: "", name: "All" },
  { value: "no-clicks", name: "No clicks" },
  { value: "old-price", name: "Old price" },
  { value: "duplicates", name: "May be there twice" },
];

export function Views({ view }: { view: string }) {
  return (
    <nav aria-label="Views" className="views">
      {VIEWS.map(({ value, name }) => (
        <Link
          key={value}
          to={value === "" ? office.products : `${office.products}?view=${value}`}
          aria-current={value === view ? "page" : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
