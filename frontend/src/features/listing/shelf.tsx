import type { Shelf } from "../../api/products/query";
import { paths } from "../../lib/paths";
import { allDeals, breadcrumb } from "../../texts/en.json";
import { Link } from "../../ui/link";

/** Above the heading of a shelf: the shelf that it is part of, or the letter of a seller. */
export function ShelfTop({ shelf: { above, letter } }: { shelf: Shelf }) {
  if (above === undefined) {
    return letter === undefined ? null : (
      <div className="back">
        <b aria-hidden>{letter}</b>
      </div>
    );
  }
  return (
    <nav aria-label={breadcrumb} className="back">
      <ol className="crumbs">
        <li>
          <Link to={paths.listing}>{allDeals}</Link>
        </li>
        <li>
          <Link to={above.path}>{above.name}</Link>
        </li>
      </ol>
    </nav>
  );
}

/** The text of a shelf, and links to lists with the same address. */
export function ShelfText({ shelf: { text, also = [] } }: { shelf: Shelf }) {
  return (
    <>
      {text && <p>{text}</p>}
      {also.map(({ name, path }) => (
        <Link key={path} to={path}>
          {name}
        </Link>
      ))}
    </>
  );
}
