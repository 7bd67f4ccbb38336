import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { paths } from "../../../lib/paths";

/** Names of the fields in which a deal arrives, in an address or its fragment. */
const NAMES = ["title", "text", "url", "image", "price", "mrp", "photo"];

/** Returns true if a query or a fragment carries a deal. */
export function carriesDeal(fields: string): boolean {
  const parameters = new URLSearchParams(fields);
  return NAMES.some((name) => parameters.get(name)?.trim());
}

/** Returns the address of the form for a deal from outside: in the fragment, which reaches no log. */
export function captureAddress(fields: string): string {
  return `${paths.addProduct}#${fields}`;
}

/**
 * Returns the fields with which a deal has arrived in the address, or nothing. Those of the query
 * are moved into the fragment.
 */
export function useArrival(): string {
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const came = [search, hash].map((part) => part.slice(1)).filter(carriesDeal);
  // Written anew, because several writings are one deal.
  const fields = new URLSearchParams(came.join("&")).toString();
  // Another fragment, like that of "Skip to content", leaves the deal as it is.
  const isOther = hash !== "" && fields === "";
  const [last, setLast] = useState(fields);
  if (!isOther && fields !== last) {
    setLast(fields);
  }
  useEffect(() => {
    if (search !== "" && fields !== "") {
      void navigate(captureAddress(fields), { replace: true });
    }
  }, [search, fields, navigate]);
  return isOther ? last : fields;
}
