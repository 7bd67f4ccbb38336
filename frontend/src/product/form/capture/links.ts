import { isWebAddress } from "../../../schemas/product";
import { isChannel, isKnownHost, sellerAt } from "./shops";

export const LINK = /https?:\/\/[^\s<>"'|\\]+/gi;
/** An address without its scheme, as people type short links. */
const BARE = /(?<![\p{L}\d@/.:-])((?:[a-z\d-]+\.)+[a-z]{2,})\/[^\s<>"'|\\]+/giu;

/** Puts the scheme before the addresses of known sellers that lack it. */
export function withSchemes(text: string): string {
  return text.replace(BARE, (link: string, host: string) => (isKnownHost(host) ? `https://${link}` : link));
}

/** Returns the web addresses in a text, without the punctuation behind them. */
export function linksIn(text: string): string[] {
  const found = withSchemes(text).match(LINK) ?? [];
  return found.map((link) => link.replace(/[).,!?;:\]}*…]+$/u, "")).filter(isWebAddress);
}

/** Returns the links to sellers, known ones first; those of channels lead to no deal. */
export function sellersFirst(links: readonly string[]): string[] {
  const rank = (link: string) => (isKnownHost(new URL(link).hostname) ? 0 : sellerAt(link) === "" ? 1 : 2);
  return links.filter((link) => !isChannel(link)).sort((one, other) => rank(one) - rank(other));
}

/** Ids of products. */
const NO_NAME = /^(?:\d{5,}|(?=.*\d)[A-Z\d]{8,}|itm[\da-z]{8,})$/;

/** Returns the product's name in the path of a seller's link, where shops write it with hyphens. */
export function titleOfLink(link: string): string {
  const parts = new URL(link).pathname.split("/").map(decoded);
  const names = parts.map((part) => part.split("-").filter((word) => word !== "" && !NO_NAME.test(word)));
  const longest = names.reduce((one, other) => (other.length > one.length ? other : one), []);
  const title = longest.length < 3 ? "" : longest.join(" ");
  return title.charAt(0).toUpperCase() + title.slice(1);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
