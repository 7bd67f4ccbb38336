import type { Shelf } from "../../api/products/query";
import { paths } from "../../lib/paths";
import { Offers } from "../../product/offers/offers";
import { allDeals, breadcrumb } from "../../texts/en.json";
import { Link } from "../../ui/link";

/** Above the heading of a shelf: its picture, or the shelf that it is part of. */
export function ShelfTop({ shelf: { above, picture } }: { shelf: Shelf }) {
  if (picture !== undefined) {
    return <img src={picture} alt="" className="shelf-picture" />;
  }
  if (above === undefined) {
    return null;
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

/** The text of a shelf, its seller's offers, and links to lists with the same address. */
export function ShelfText({ shelf: { text, html, offers, also = [] } }: { shelf: Shelf }) {
  return (
    <>
      {html ? (
        // Made by the server from Markdown, without raw HTML (src/storefront/markdown.rs).
        // biome-ignore lint/security/noDangerouslySetInnerHtml: as above
        <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
      ) : (
        text && <p>{text}</p>
      )}
      <Offers offers={offers} />
      {also.map(({ name, path }) => (
        <Link key={path} to={path}>
          {name}
        </Link>
      ))}
    </>
  );
}
