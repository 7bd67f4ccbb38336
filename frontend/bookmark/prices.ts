import { isForeign, rupees, shownRupees } from "./amounts";
import { isSame, type PagePlace } from "./place";
import { type Data, list, object } from "./structured";

/** Prices that one source of a page names, as plain numbers or nothing. */
export interface Prices {
  paid: string;
  listed: string;
}

const GONE = /(out_?of_?stock|sold_?out|discontinued|unavailable)/i;
const LISTED = /list|strike|msrp|srp|regular/i;
/** Offers under a condition: not the price that everybody pays. */
const CONDITION = /exchange|\bemi\b|subscri|member|refurb|used|rental|per month/i;

/** Returns the price of a product's own offer: available, in rupees, of the chosen variant. */
export function offered(data: Data, place: PagePlace, currency: unknown): Prices & { soldOut: boolean } {
  const all = list(data.offers)
    .map(object)
    .filter((each) => each !== undefined)
    .flatMap((each) =>
      each.offers === undefined
        ? [each]
        : [
            ...list(each.offers).map((inner) => ({
              ...each,
              offers: undefined,
              lowPrice: undefined,
              highPrice: undefined,
              ...object(inner),
            })),
          ],
    );
  const open = all.filter((each) => !GONE.test(String(each.availability ?? "")));
  const soldOut = all.length > 0 && open.length === 0;
  const plain = open.filter(
    (each) => !CONDITION.test([each.name, each.category, each.itemCondition, each.description].join(" ")),
  );
  const chosen = plain.filter(
    (each) => typeof each.url === "string" && each.url.includes("?") && isSame(each.url, place, true),
  );
  const prices = (chosen.length > 0 ? chosen : plain)
    .map((each) => pricesOf(each, currency))
    .filter((each) => each.paid !== "");
  const different = new Set(prices.map((each) => each.paid));
  const [first] = prices;
  return first && different.size === 1 ? { ...first, soldOut } : { paid: "", listed: "", soldOut };
}

function pricesOf(offer: Data, currency: unknown): Prices {
  const parts = list(offer.priceSpecification)
    .map(object)
    .filter((each) => each !== undefined);
  const isForeignHere = (each: Data) => isForeign(each.priceCurrency ?? offer.priceCurrency ?? currency);
  const isPlain = (each: Data) =>
    each.referenceQuantity === undefined &&
    each.billingDuration === undefined &&
    each.membershipPointsEarned === undefined &&
    each.validForMemberTier === undefined;
  const amounts = (each: Data[]) =>
    [
      ...new Set(
        each
          .filter(isPlain)
          .filter((part) => !isForeignHere(part))
          .map(priceIn),
      ),
    ].filter(Boolean);
  const isListed = (each: Data) => LISTED.test(String(each.priceType ?? each.name ?? ""));
  const [paid, listed] = [amounts(parts.filter((each) => !isListed(each))), amounts(parts.filter(isListed))];
  // A price without its tax is not what a visitor pays.
  const untaxed = [offer, ...parts].some(
    (each) => String(each.valueAddedTaxIncluded).toLowerCase() === "false",
  );
  const [low, high] = [rupees(offer.lowPrice), rupees(offer.highPrice)];
  const range = low === high || high === "" ? low : "";
  const own = isForeignHere(offer) ? "" : rupees(offer.price) || range;
  const only = own || (paid.length === 1 ? (paid[0] ?? "") : "");
  return { paid: untaxed ? "" : only, listed: listed.length === 1 ? (listed[0] ?? "") : "" };
}

function priceIn(part: Data): string {
  return rupees(part.price);
}

/** Node.DOCUMENT_POSITION_FOLLOWING */
const FOLLOWING = 4;
/** Headings above what belongs to other products. */
const NEIGHBOURS =
  /similar|related|recommend|you (may|might)|customers (also|who)|frequently|sponsored|more from|also (like|bought|viewed)|recently viewed/i;
const NEIGHBOUR =
  "[class*=sponsored i],[class*=similar i],[class*=related i],[class*=recommend i],[class*=carousel i],[class*=crosssell i],[class*=cross-sell i],[class*=upsell i],.a-price-range,aside,footer,nav";

/** Returns a test for elements that are about the page's own product. */
export function ownPart(page: Document): (element: Element) => boolean {
  const headings = page.querySelectorAll("h2,h3,h4,h5,[role=heading]");
  const end = [...headings].find((each) => NEIGHBOURS.test(each.textContent ?? ""));
  return (element) =>
    !element.closest(NEIGHBOUR) && !(end && end.compareDocumentPosition(element) & FOLLOWING);
}

/** Returns the first struck price that a page shows with a lower one beside it. */
export function struck(page: Document, isOwn: (element: Element) => boolean): Prices {
  for (const old of page.querySelectorAll("del,s,strike")) {
    const listed = shownRupees(old.textContent ?? "");
    const row = old.parentElement?.closest("del,s,strike") ? undefined : old.parentElement;
    if (listed === "" || !row || !isOwn(old)) {
      continue;
    }
    for (const box of [row, row.parentElement]) {
      const rest = (box?.cloneNode(true) as Element | undefined) ?? row;
      for (const each of rest.querySelectorAll("del,s,strike")) {
        each.remove();
      }
      const paid = shownRupees(rest.textContent ?? "");
      if (paid !== "" && Number(paid) < Number(listed)) {
        return { paid, listed };
      }
    }
  }
  return { paid: "", listed: "" };
}

/** Prices of a page; `doubt` has those of its sources where they disagree. */
export type Agreed = Prices & { doubt: readonly string[] };

/** Returns what the sources agree on: a sale explains a list price, a hundred times as much is paise. */
export function agreed(sources: readonly Prices[]): Agreed {
  const known = sources.filter((each) => each.paid !== "");
  const lists = [...new Set(sources.map((each) => each.listed).filter(Boolean))];
  const isList = (amount: string) => known.some((each) => each.listed === amount && each.paid !== amount);
  const isPaise = (amount: string) => known.some((each) => Number(each.paid) * 100 === Number(amount));
  const paid = [...new Set(known.map((each) => each.paid))].filter((each) => !isList(each) && !isPaise(each));
  const [only = ""] = paid.length === 1 ? paid : [];
  const above = lists.filter((each) => Number(each) > Number(only));
  return {
    paid: only,
    listed: only !== "" && above.length === 1 ? (above[0] ?? "") : "",
    doubt: paid.length > 1 ? paid : [],
  };
}
