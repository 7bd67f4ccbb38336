import { channels, names, sellers, silent } from "shops:known";

/** Matches a large shop's name as titles and texts write it. */
export const SHOP_NAME = `(${names})(\\.in|\\.com)?( india)?( app)?`;

/** Second levels below which names are registered, and the one of app links. */
const SECOND_LEVEL = /^(co|com|net|org|firm|ind|page)$/;

/**
 * Returns the name of the seller to whom an address leads: one that is known, or else as its domain
 * spells it. Nothing for short links, networks and channels, behind which any seller may be.
 */
export function sellerAt(address: string): string {
  const { hostname } = new URL(targetOf(address));
  const seller = knownAt(hostname);
  if (seller !== undefined) {
    return seller;
  }
  if ([...silent, ...channels].some((host) => isBelow(hostname, host))) {
    return "";
  }
  const labels = hostname.split(".").slice(0, -1);
  const label = labels.filter((it) => !SECOND_LEVEL.test(it)).at(-1) ?? hostname;
  const words = label.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return words.join(" ");
}

/** Returns true if an address leads to a chat, a channel or a profile. */
export function isChannel(address: string): boolean {
  const { hostname } = new URL(targetOf(address));
  return channels.some((host) => isBelow(hostname, host));
}

/** Returns true for the host of a seller of the link rules. */
export function isKnownHost(host: string): boolean {
  return knownAt(host.toLowerCase()) !== undefined;
}

function knownAt(hostname: string): string | undefined {
  const host = Object.keys(sellers).find((each) => isBelow(hostname, each));
  return host === undefined ? undefined : sellers[host];
}

/** Returns the address to which a wrapper leads by a parameter of its own, or the address itself. */
function targetOf(address: string): string {
  const url = new URL(address);
  const host = url.hostname;
  if (knownAt(host) !== undefined && !/[?&][^&]*=https?(:|%3a|%253a)/i.test(url.search)) {
    return address;
  }
  const isWrapper = silent.some((each) => isBelow(host, each));
  const values = [...url.searchParams.values(), url.pathname.slice(1 + url.pathname.indexOf("/http"))];
  for (const value of values) {
    const target = [value, decoded(value), decoded(decoded(value))].find((each) =>
      /^https?:\/\/[^/]/i.test(each),
    );
    const seller = target && URL.canParse(target) ? knownAt(new URL(target).hostname) : undefined;
    if (
      target &&
      URL.canParse(target) &&
      knownAt(host) === undefined &&
      (isWrapper || seller !== undefined)
    ) {
      return target === address ? address : targetOf(target);
    }
  }
  const named = [...url.searchParams.values()].map((value) => value.toLowerCase());
  const [shop] = isWrapper
    ? Object.entries(sellers).filter(([, name]) => named.includes(name.toLowerCase()))
    : [];
  return shop ? `https://${shop[0]}/` : address;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return "";
  }
}

function isBelow(hostname: string, host: string): boolean {
  return `.${hostname}`.endsWith(`.${host}`);
}
