import { names, sellers } from "shops:known";

/** Matches a large shop's name as titles and texts write it. */
export const SHOP_NAME = `(${names})(\\.in|\\.com)?( india)?( app)?`;

/** Second levels below which names are registered, and the one of app links. */
const SECOND_LEVEL = /^(co|com|net|org|firm|ind|page)$/;

/** Returns the seller's name at an address; for most, their domain spells it: Flipkart for dl.flipkart.com. */
export function sellerAt(address: string): string {
  const { hostname } = new URL(address);
  const labels = hostname.split(".").slice(0, -1);
  const label = labels.filter((it) => !SECOND_LEVEL.test(it)).at(-1) ?? hostname;
  const words = label.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return sellers[hostname.replace(/^(www|m)\./, "")] ?? words.join(" ");
}
