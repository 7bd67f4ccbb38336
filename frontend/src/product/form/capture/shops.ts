/** Matches a large shop's name as titles and texts write it. */
export const SHOP_NAME =
  "(amazon|flipkart|myntra|meesho|ajio|nykaa|croma|tata ?cliq|jiomart|reliance ?digital)(\\.in|\\.com)?( india)?( app)?";

/** Names of sellers whose domains, and share shorteners, are written otherwise. */
const NAMES: Record<string, string> = {
  amzn: "Amazon",
  fkrt: "Flipkart",
  myntr: "Myntra",
  tatacliq: "Tata Cliq",
  jiomart: "JioMart",
  reliancedigital: "Reliance Digital",
};

/** Second levels below which names are registered, and the one of app links. */
const SECOND_LEVEL = /^(co|com|net|org|firm|ind|page)$/;

/** Returns the seller's name at an address, made of its domain: Flipkart for dl.flipkart.com. */
export function sellerAt(address: string): string {
  const labels = new URL(address).hostname.split(".").slice(0, -1);
  const last = labels.at(-1) ?? "";
  const label = (SECOND_LEVEL.test(last) ? labels.at(-2) : last) ?? last;
  const words = label.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return NAMES[label] ?? words.join(" ");
}
