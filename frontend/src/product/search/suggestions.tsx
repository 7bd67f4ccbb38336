import { type RefObject, useEffect, useState } from "react";
import { useCards } from "../../api/products/list";
import { useCardFacets } from "../../api/products/related";
import type { Facets } from "../../api/types";
import { paths } from "../../lib/paths";
import { collectionPath, sellerPath, useCategoryPath } from "../../shop/categories";
import { useShop } from "../../shop/shop";
import {
  categoryFact,
  collectionFact,
  searchInCategory,
  sellerTitle,
  suggestionsCount,
  suggestionsTitle,
} from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { plural } from "../../texts/plural";
import { Link } from "../../ui/link";
import { Marked } from "../../ui/marked";
import { changed, listAddress, readQuery } from "../list-state";
import { Price } from "../price-line";
import { ProductPicture } from "../product-picture";

/** Milliseconds without a key after which suggestions are asked for. */
const PAUSE = 150;
/** Shortest text that says something. */
const SHORTEST = 2;
const PLACES = 3;
const PRODUCTS = 5;

const LIST = "suggestions";
const optionId = (at: number) => `${LIST}-${at}`;

interface SuggestionsProps {
  field: RefObject<HTMLInputElement | null>;
  text: string;
  onDone: () => void;
}

export function Suggestions({ text, ...rest }: SuggestionsProps) {
  const [search, setSearch] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return search.length < SHORTEST ? null : <Found search={search} {...rest} />;
}

/** Categories, sellers and deals for a search, as the options of its field. */
function Found({ search, field, onDone }: Omit<SuggestionsProps, "text"> & { search: string }) {
  const query = readQuery(new URLSearchParams({ search }), PRODUCTS);
  const { data: page } = useCards(query);
  const { data: facets } = useCardFacets(query);
  const places = usePlaces(search, facets);
  const products = page?.data ?? [];
  const number = places.length + products.length;
  // An option belongs to the search that it was chosen for.
  const [chosen, setChosen] = useState({ of: search, at: -1 });
  const at = chosen.of === search && chosen.at < number ? chosen.at : -1;
  useKeys(field, at, number, (next) => setChosen({ of: search, at: next }));
  const option = (index: number) => ({
    id: optionId(index),
    role: "option",
    tabIndex: -1,
    "aria-selected": index === at,
    onClick: onDone,
    className: "suggestion",
  });
  return (
    <>
      <p role="status" className="sr-only">
        {page && plural(suggestionsCount, number)}
      </p>
      {number > 0 && (
        <div id={LIST} role="listbox" aria-label={suggestionsTitle} className="suggestions">
          {places.map(({ to, label, kind }, index) => (
            <Link key={to} to={to} {...option(index)}>
              <b>{label}</b>
              <small>{kind}</small>
            </Link>
          ))}
          {products.map((product, index) => (
            <Link key={product._id} to={paths.details(product._id)} {...option(places.length + index)}>
              <ProductPicture src={product.image} alt="" category={product.category} />
              <span className="clamp-2">
                <Marked text={product.title} words={page?.meta.matches} />
              </span>
              <b>
                <Price product={product} isShort />
              </b>
            </Link>
          ))}
        </div>
      )}
    </>
  );
}

interface Place {
  to: string;
  label: string;
  /** Its kind, or its number of deals. */
  kind: string;
}

/** Returns lists that the search names, or else categories that have some of its deals. */
function usePlaces(search: string, facets: Facets | undefined): Place[] {
  const { categories, collections = [] } = useShop();
  const categoryPath = useCategoryPath();
  const { all = 0, categories: found = [], sources = [] } = facets ?? {};
  const isNamed = ({ name }: { name: string }) =>
    ` ${name}`.toLowerCase().includes(` ${search.toLowerCase()}`);
  const named = [
    ...categories
      .filter((category) => !category.hidden && isNamed(category))
      .map(({ name }) => ({ to: categoryPath(name), label: name, kind: categoryFact })),
    ...collections
      .filter(isNamed)
      .map(({ name, slug }) => ({ to: collectionPath(slug), label: name, kind: collectionFact })),
    ...sources.filter(isNamed).map(({ name }) => ({ to: sellerPath(name), label: name, kind: sellerTitle })),
  ];
  if (named.length > 0) {
    return named.slice(0, PLACES);
  }
  const query = readQuery(new URLSearchParams({ search }));
  return found
    .filter(({ products }) => products > 0 && products < all)
    .toSorted((a, b) => b.products - a.products)
    .slice(0, PLACES - 1)
    .map(({ name, products }) => ({
      to: listAddress(changed(query, { category: name })),
      label: fill(searchInCategory, { search, category: name }),
      kind: String(products),
    }));
}

/** Lets the arrow keys of a field choose one of several options, and the Enter key follow it. */
function useKeys(
  field: SuggestionsProps["field"],
  at: number,
  number: number,
  onChoose: (at: number) => void,
): void {
  useEffect(() => {
    const input = field.current;
    const choose = (event: KeyboardEvent) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step !== undefined && number > 0) {
        event.preventDefault();
        // The field itself is one of them.
        onChoose(((at + 1 + step + number + 1) % (number + 1)) - 1);
      } else if (event.key === "Enter" && at >= 0) {
        event.preventDefault();
        document.getElementById(optionId(at))?.click();
      }
    };
    input?.addEventListener("keydown", choose);
    return () => input?.removeEventListener("keydown", choose);
  });
  useEffect(() => {
    const attributes = {
      "aria-autocomplete": "list",
      ...(number > 0 && { "aria-controls": LIST }),
      ...(at >= 0 && { "aria-activedescendant": optionId(at) }),
    };
    const input = field.current;
    for (const [name, value] of Object.entries(attributes)) {
      input?.setAttribute(name, value);
    }
    document.getElementById(optionId(at))?.scrollIntoView({ block: "nearest" });
    return () => {
      for (const name of Object.keys(attributes)) {
        input?.removeAttribute(name);
      }
    };
  }, [field, at, number]);
}
