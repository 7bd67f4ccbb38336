import { type FormEvent, type ReactNode, useState } from "react";
import { type ProductQuery, sellersOf } from "../../api/products/query";
import type { Facets } from "../../api/types";
import { chips, pricePattern, provenPick, sellersShown } from "../../lib/constants.json";
import { count, percent } from "../../lib/rupees";
import {
  changed,
  endSoon,
  listAddress,
  listBase,
  listParameters,
  relation,
  withSeller,
} from "../../product/list-state";
import {
  applyButton,
  discountTitle,
  endingSoonLabel,
  highestPrice,
  highestPriceHint,
  lowestPrice,
  lowestPriceHint,
  moreSellers,
  onlyTitle,
  priceInRupees,
  priceNotRead,
  priceTitle,
  ratingTitle,
  reallyCheaper,
  sellersLabel,
  sellerTitle,
  starsOrMore,
} from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { plural } from "../../texts/plural";
import { Button } from "../../ui/button";
import { HiddenFields } from "../../ui/form/hidden-fields";
import { Link } from "../../ui/link";

interface FilterPanelProps {
  query: ProductQuery;
  facets: Facets | undefined;
  onChange: (filters: Parameters<typeof changed>[1]) => void;
}

/** Filters with the number of products of each choice: links and a form that work without JavaScript too. */
export function FilterPanel({ query, facets, onChange }: FilterPanelProps) {
  return (
    <div className="filters">
      <PriceForm query={query} facets={facets} onChange={onChange} />
      <Least name="minDiscount" title={discountTitle} query={query} facets={facets} />
      <Least name="minRating" title={ratingTitle} query={query} facets={facets} />
      <Special query={query} facets={facets} />
      <Sellers query={query} facets={facets} />
    </div>
  );
}

/** A filter that is offered, with the number of its products if they were counted. */
interface Offered {
  label: string;
  minPrice?: number;
  maxPrice?: number;
  minDiscount?: number;
  minRating?: number;
  products: number | undefined;
}

function offered(facets: Facets | undefined): Offered[] {
  return chips.map(({ isQuick, ...chip }, at) => ({ ...chip, products: facets?.chips[at] }));
}

interface LeastProps extends Omit<FilterPanelProps, "onChange"> {
  name: "minDiscount" | "minRating";
  title: string;
}

/** The least discount or rating of products. */
function Least({ name, title, query, facets }: LeastProps) {
  const chosen = query[name];
  const picks = offered(facets).filter((chip) => chip[name] !== undefined);
  if (chosen !== undefined && !picks.some((chip) => chip[name] === chosen)) {
    picks.push({
      ...(name === "minRating"
        ? { label: fill(starsOrMore, { stars: chosen }), minRating: chosen }
        : { label: `${percent(chosen)}+`, minDiscount: chosen }),
      products: undefined,
    });
  }
  picks.sort((a, b) => (a[name] ?? 0) - (b[name] ?? 0));
  return (
    <section>
      <h2>{title}</h2>
      <ul aria-label={title} className="picks">
        {picks.map(({ label, products, [name]: least = 0 }) => (
          <Pick
            key={label}
            to={changed(query, { [name]: chosen === least ? "" : least })}
            chosen={chosen === least}
            products={products}
          >
            {label}
          </Pick>
        ))}
      </ul>
    </section>
  );
}

/** Filters of a few deals, left out where they would find none. */
function Special({ query, facets }: Omit<FilterPanelProps, "onChange">) {
  const { minProven, endingSoon } = query;
  const end = endSoon(query, !endingSoon);
  const special = [
    [reallyCheaper, minProven, facets?.proven, { minProven: minProven === undefined ? provenPick : "" }],
    [endingSoonLabel, endingSoon, facets?.endingSoon, end],
  ] as const;
  const offered = special.filter(([, chosen, some]) => chosen !== undefined || some);
  return offered.length === 0 ? null : (
    <section>
      <h2>{onlyTitle}</h2>
      <ul aria-label={onlyTitle} className="picks">
        {offered.map(([label, chosen, products, to]) => (
          <Pick key={label} to={changed(query, to)} chosen={chosen !== undefined} products={products}>
            {label}
          </Pick>
        ))}
      </ul>
    </section>
  );
}

export function setInPanel({
  shelf,
  source,
  minPrice,
  maxPrice,
  minDiscount,
  minRating,
  minProven,
  endingSoon,
}: ProductQuery): number {
  const set = [
    source !== shelf?.filters.source,
    minPrice !== undefined || maxPrice !== undefined,
    minDiscount !== undefined,
    minRating,
    minProven !== undefined,
    endingSoon,
  ];
  return set.filter(Boolean).length;
}

interface PickProps {
  to: ProductQuery;
  chosen: boolean;
  products?: number | undefined;
  children: ReactNode;
}

function Pick({ to, chosen, products, children }: PickProps) {
  return (
    <li>
      <Link
        to={listAddress(to)}
        rel={relation(to)}
        state={{ keepScroll: true }}
        aria-current={chosen ? "true" : undefined}
      >
        {children}
        {products !== undefined && <small>{count(products)}</small>}
      </Link>
    </li>
  );
}

const PRICE_ERROR = "price-error";

function PriceForm({ query, facets, onChange }: FilterPanelProps) {
  const ranges = offered(facets).filter((chip) => chip.minPrice ?? chip.maxPrice);
  const [isRefused, setRefused] = useState(false);
  const refuse = (event: FormEvent<HTMLFormElement>) => {
    // Instead of the browser's bubble.
    event.preventDefault();
    const inputs = [...event.currentTarget.querySelectorAll("input")];
    inputs.find((input) => !input.validity.valid)?.focus();
    setRefused(true);
  };
  const error = isRefused ? PRICE_ERROR : undefined;
  return (
    <form
      action={listBase(query)}
      autoComplete="off"
      aria-label={priceTitle}
      onInvalidCapture={refuse}
      onChange={() => setRefused(false)}
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget);
        onChange({ minPrice: String(typed.get("minPrice")), maxPrice: String(typed.get("maxPrice")) });
      }}
    >
      <HiddenFields fields={listParameters(changed(query, { minPrice: "", maxPrice: "" }))} />
      <fieldset>
        <legend>{priceInRupees}</legend>
        <div className="price-range">
          <PriceField
            name="minPrice"
            label={lowestPrice}
            hint={lowestPriceHint}
            value={query.minPrice}
            error={error}
          />
          <PriceField
            name="maxPrice"
            label={highestPrice}
            hint={highestPriceHint}
            value={query.maxPrice}
            error={error}
          />
          <Button type="submit">{applyButton}</Button>
        </div>
        {isRefused && (
          <p id={PRICE_ERROR} role="alert" className="pt-1 text-sm text-danger">
            {priceNotRead}
          </p>
        )}
      </fieldset>
      <ul className="picks">
        {ranges.map(({ label, minPrice, maxPrice, products }) => {
          const chosen = query.minPrice === minPrice && query.maxPrice === maxPrice;
          const to = chosen
            ? { minPrice: "", maxPrice: "" }
            : { minPrice: minPrice ?? "", maxPrice: maxPrice ?? "" };
          return (
            <Pick key={label} to={changed(query, to)} chosen={chosen} products={products}>
              {label}
            </Pick>
          );
        })}
      </ul>
    </form>
  );
}

interface PriceFieldProps {
  name: string;
  label: string;
  hint: string;
  value: number | undefined;
  /** Id of the field's error. */
  error: string | undefined;
}

function PriceField({ name, label, hint, value, error }: PriceFieldProps) {
  const given = value === undefined ? "" : String(value);
  // As in the search box: typed text belongs to the filter value that it replaces.
  const [typed, setTyped] = useState({ over: given, text: given });
  const text = typed.over === given ? typed.text : given;
  return (
    <input
      name={name}
      aria-label={label}
      aria-describedby={error}
      pattern={pricePattern}
      placeholder={hint}
      inputMode="decimal"
      value={text}
      onChange={(event) => setTyped({ over: given, text: event.target.value })}
      className="number-field"
    />
  );
}

function Sellers({ query, facets }: Omit<FilterPanelProps, "onChange">) {
  const chosen = sellersOf(query);
  const offered = (facets?.sources ?? []).toSorted((a, b) => b.products - a.products);
  const missing = chosen.filter((seller) => !offered.some(({ name }) => name === seller));
  offered.unshift(...missing.map((name) => ({ name, products: 0 })));
  const more = offered.length - sellersShown;
  if (offered.length === 0) {
    return null;
  }
  const list = (some: typeof offered) => (
    <ul aria-label={sellersLabel} className="options">
      {some.map(({ name, products }) => (
        <Pick
          key={name}
          to={changed(query, { source: withSeller(query, name) })}
          chosen={chosen.includes(name)}
          products={products}
        >
          <span>{name}</span>
        </Pick>
      ))}
    </ul>
  );
  return (
    <section>
      <h2>{sellerTitle}</h2>
      {list(offered.slice(0, sellersShown))}
      {more > 0 && (
        <details>
          <summary>{plural(moreSellers, more)}</summary>
          {list(offered.slice(sellersShown))}
        </details>
      )}
    </section>
  );
}
