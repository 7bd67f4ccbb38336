// Mirrored by src/http/pages/list/mod.rs

import type { ProductPage } from "../../api/products/list";
import type { ProductQuery } from "../../api/products/query";
import { useHome } from "../../api/products/related";
import { paths } from "../../lib/paths";
import { count, counted } from "../../lib/rupees";
import { changed, listAddress, without } from "../../product/list-state";
import { Strip } from "../../product/strip";
import { Button, ButtonLink } from "../../ui/button";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { filterLabels } from "./active-filters";
import { picksHeading } from "./headings";

interface EmptyListProps {
  query: ProductQuery;
  meta: ProductPage["meta"];
  onClear: () => void;
}

export function EmptyList({ query, meta, onClear }: EmptyListProps) {
  const { search } = query;
  const { data: home } = useHome(query.page === 1);
  if (query.page > meta.totalPages) {
    return (
      <Notice title={`There is no page ${count(query.page)}.`}>
        <ButtonLink to={listAddress({ ...query, page: meta.totalPages })}>Go to the last page</ButtonLink>
      </Notice>
    );
  }
  const labels = Object.fromEntries(filterLabels(query));
  return (
    <>
      <Notice title={search ? `No deals match “${search}”.` : "No deals match these filters."}>
        {meta.suggestion && (
          <p>
            {"Did you mean "}
            <Link to={listAddress(changed(query, { search: meta.suggestion }))} className="link">
              {meta.suggestion}
            </Link>
            ?
          </p>
        )}
        {meta.relaxed && (
          <ul className="relaxed">
            {meta.relaxed.map(({ without: name, total }) => (
              <li key={name}>
                <Link to={listAddress(without(query, name))} className="link">
                  {`Without ${labels[name]}: ${counted(total, "deal", "deals")}`}
                </Link>
              </li>
            ))}
          </ul>
        )}
        <form action="/">
          <Button
            type="submit"
            onClick={(event) => {
              event.preventDefault();
              onClear();
            }}
          >
            Clear filters
          </Button>
        </form>
      </Notice>
      {home && (
        <Strip heading={picksHeading(home)} all={paths.listing} allLabel="All deals" products={home.picks} />
      )}
    </>
  );
}
