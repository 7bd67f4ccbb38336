import { type FormEvent, type ReactNode, useState } from "react";
import type { ProductQuery } from "../../api/products/query";
import type { Facets } from "../../api/types";
import { discountPicks, pricePattern, pricePicks, provenPick, sellersShown } from "../../lib/constants.json";
import { count, percent } from "../../lib/rupees";
import { changed, endSoon, listAddress, listBase, listParameters, relation } from "../../product/list-state";
import {
  anyDiscount,
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
  reallyCheaper,
  sellersLabel,
  sellerTitle,
} from "../../texts/en.json";
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
      <PriceForm query={query} onChange={onChange} />
      <section>
        <h2>{discountTitle}</h2>
        <ul aria-label={discountTitle} className="picks">
          <Pick to={changed(query, { minDiscount: "" })} chosen={query.minDiscount === undefined}>
            {anyDiscount}
          </Pick>
          {discounts(query.minDiscount).map((least) => (
            <Pick
              key={least}
              to={changed(query, { minDiscount: least })}
              chosen={query.minDiscount === least}
            >
              {`${percent(least)}+`}
            </Pick>
          ))}
        </ul>
      </section>
      <Special query={query} facets={facets} />
      <Sellers query={query} facets={facets} />
    </div>
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
      <ul aria-label={onlyTitle} className="picks pairs">
        {offered.map(([label, chosen, , to]) => (
          <Pick key={label} to={changed(query, to)} chosen={chosen !== undefined}>
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
  minProven,
  endingSoon,
}: ProductQuery): number {
  const set = [
    source !== shelf?.filters.source,
    minPrice !== undefined || maxPrice !== undefined,
    minDiscount !== undefined,
    minProven !== undefined,
    endingSoon,
  ];
  return set.filter(Boolean).length;
}

function Pick({ to, chosen, children }: { to: ProductQuery; chosen: boolean; children: ReactNode }) {
  return (
    <li>
      <Link
        to={listAddress(to)}
        rel={relation(to)}
        state={{ keepScroll: true }}
        className="pick"
        aria-current={chosen ? "true" : undefined}
      >
        {children}
      </Link>
    </li>
  );
}

const PRICE_ERROR = "price-error";

function PriceForm({ query, onChange }: Omit<FilterPanelProps, "facets">) {
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
        {pricePicks.map(({ label, minPrice, maxPrice }) => {
          const chosen = query.minPrice === minPrice && query.maxPrice === maxPrice;
          const to = chosen
            ? { minPrice: "", maxPrice: "" }
            : { minPrice: minPrice ?? "", maxPrice: maxPrice ?? "" };
          return (
            <Pick key={label} to={changed(query, to)} chosen={chosen}>
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
  const chosen = query.source;
  const offered = (facets?.sources ?? []).toSorted((a, b) => b.products - a.products);
  if (chosen !== undefined && !offered.some(({ name }) => name === chosen)) {
    offered.unshift({ name: chosen, products: 0 });
  }
  const more = offered.length - sellersShown;
  if (offered.length === 0) {
    return null;
  }
  const list = (some: typeof offered) => (
    <ul aria-label={sellersLabel} className="options">
      {some.map(({ name, products }) => (
        <Pick
          key={name}
          to={changed(query, { source: name === chosen ? "" : name })}
          chosen={name === chosen}
        >
          <span>{name}</span>
          <span>{count(products)}</span>
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

function discounts(chosen: number | undefined): number[] {
  const offered = new Set(discountPicks);
  if (chosen !== undefined) {
    offered.add(chosen);
  }
  return [...offered].sort((a, b) => a - b);
}
