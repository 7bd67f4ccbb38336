import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import type { ShopBody as Shop } from "../../generated/api";
import { usualCategories } from "../lib/constants.json";
import { instagramName, telegramName, usualDisclosure, usualShopName, whatsAppName } from "../texts/en.json";

export type { Shop };

export const defaultShop: Shop = {
  name: usualShopName,
  tagline: "",
  mark: "/favicon.svg",
  contact: "",
  telegram: "",
  whatsapp: "",
  instagram: "",
  disclosure: usualDisclosure,
  pages: [],
  categories: usualCategories,
};

/** Changed values; an own logo removes the letter. */
type ShopChanges = { [Name in keyof Shop]?: Shop[Name] | undefined };

const ShopContext = createContext<Shop>(defaultShop);

const ShowContext = createContext<(changes: ShopChanges) => void>(() => undefined);

/** Provides the shop that came with the page, until its settings change. */
export function ShopProvider({ initial, children }: { initial: Shop; children: ReactNode }) {
  const [shop, setShop] = useState(initial);
  const show = useCallback(
    (saved: ShopChanges) => setShop((former) => ({ ...former, ...saved }) as Shop),
    [],
  );
  return (
    <ShowContext value={show}>
      <ShopContext value={shop}>{children}</ShopContext>
    </ShowContext>
  );
}

/** Returns the function that shows saved settings on the open page. */
export function useShowShop(): (changes: ShopChanges) => void {
  return useContext(ShowContext);
}

export function useShop(): Shop {
  return useContext(ShopContext);
}

/** Returns the names and addresses of the channels that visitors can follow. */
export function channelsOf({ telegram, whatsapp, instagram }: Shop): [string, string][] {
  const all: [string, string][] = [
    [telegramName, telegram],
    [whatsAppName, whatsapp],
    [instagramName, instagram],
  ];
  return all.filter(([, link]) => link !== "");
}

/** The owner's mark, or the first letter of the name. */
export function ShopMark() {
  const { mark, letter } = useShop();
  return letter === undefined ? <img src={mark} alt="" /> : <b aria-hidden>{letter}</b>;
}

export function Disclosure() {
  return <p className="fineprint">{useShop().disclosure}</p>;
}

/** The page's title, followed by the shop's name. */
export function PageTitle({ of }: { of: string }) {
  return <title>{`${of} · ${useShop().name}`}</title>;
}
