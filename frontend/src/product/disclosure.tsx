import { createContext, useContext } from "react";
import { defaultServed } from "../api/served";

const DisclosureContext = createContext(defaultServed.disclosure);

export const DisclosureProvider = DisclosureContext.Provider;

/** How the shop tells that it earns by its links; its owner words it. */
export function Disclosure() {
  return <p className="fineprint">{useContext(DisclosureContext)}</p>;
}
