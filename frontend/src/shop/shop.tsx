// Mirrored by src/http/pages/details/product_page.rs
import { createContext, useContext } from "react";

/** What the owner says of the shop; what was not said is empty. */
export interface Shop {
  name: string;
  tagline: string;
  /** The path of the mark's picture. */
  mark: string;
  contact: string;
  telegram: string;
  whatsapp: string;
  instagram: string;
  /** How the shop tells that it earns by its links. */
  disclosure: string;
  pages: readonly { slug: string; title: string }[];
}

/** A shop whose owner has said nothing. */
export const defaultShop: Shop = {
  name: "Deals",
  tagline: "",
  mark: "/favicon.svg",
  contact: "",
  telegram: "",
  whatsapp: "",
  instagram: "",
  disclosure: "We may earn a commission when you buy through links on this site.",
  pages: [],
};

const ShopContext = createContext<Shop>(defaultShop);

export const ShopProvider = ShopContext.Provider;

/** What the owner says of the shop. */
export function useShop(): Shop {
  return useContext(ShopContext);
}

/** How the shop tells that it earns by its links; its owner words it. */
export function Disclosure() {
  return <p className="fineprint">{useShop().disclosure}</p>;
}

/** The title of the page, with the shop's name behind it. */
export function PageTitle({ of }: { of: string }) {
  return <title>{`${of} · ${useShop().name}`}</title>;
}
