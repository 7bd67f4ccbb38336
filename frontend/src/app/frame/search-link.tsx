import type { ReactNode } from "react";
import { useLocation } from "react-router-dom";
import { pageSize } from "../../lib/constants.json";
import { paths } from "../../lib/paths";
import { listAddress, onShelf, readQuery, useShelf } from "../../product/list-state";
import { SEARCH_FIELD } from "../../product/search-box";
import { useCategoryNames } from "../../shop/categories";
import { Link } from "../../ui/link";

interface SearchLinkProps {
  className: string;
  "aria-label"?: string;
  children: ReactNode;
}

/** A link to the search field of the page, which stays; on the listing it keeps the query. */
export function SearchLink({ children, ...rest }: SearchLinkProps) {
  const { pathname, search } = useLocation();
  const { shelf } = useShelf();
  const query = onShelf(readQuery(new URLSearchParams(search), pageSize, useCategoryNames()), shelf);
  const here = shelf || pathname === paths.listing ? listAddress(query) : pathname;
  return (
    <Link to={`${here}#${SEARCH_FIELD}`} state={{ focusSearch: true }} replace {...rest}>
      {children}
    </Link>
  );
}
