// Mirrored by src/http/pages/details/product_page.rs
import { createContext, useContext } from "react";
import type { ShopBody as Shop } from "../../generated/api";

export type { Shop };

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

export function useShop(): Shop {
  return useContext(ShopContext);
}

export function Disclosure() {
  return <p className="fineprint">{useShop().disclosure}</p>;
}

/** The page's title, followed by the shop's name. */
export function PageTitle({ of }: { of: string }) {
  return <title>{`${of} · ${useShop().name}`}</title>;
}
