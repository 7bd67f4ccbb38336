import { Fragment, type ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import { cardOf } from "../../api/products/product";
import { useAlike, usePriceHistory } from "../../api/products/related";
import type { Card, Product } from "../../api/types";
import { longText, longTitle, phoneTitle, titleExcerpt } from "../../lib/constants.json";
import { day } from "../../lib/day";
import { paths } from "../../lib/paths";
import { truncate } from "../../lib/truncate";
import { AlertButton } from "../../product/alert/alert-button";
import { BuyLink } from "../../product/buy-link";
import { VerdictPlate } from "../../product/card/verdict";
import { ForAdmins } from "../../product/for-admins";
import { Offers } from "../../product/offers/offers";
import { Price, PriceLine, ratingLine, SavingLine } from "../../product/price-line";
import { SaveButton } from "../../product/save-button";
import { LINES } from "../../shop/product-lines";
import { Disclosure, PageTitle } from "../../shop/shop";
import {
  addedFact,
  categoryFact,
  clicksCount,
  descriptionTitle,
  endsFact,
  saveButton,
  sourceFact,
  tagsFact,
} from "../../texts/en.json";
import { plural } from "../../texts/plural";
import { Link } from "../../ui/link";
import { Gallery } from "./gallery";
import { isLong, LongText } from "./long-text";
import { PriceHistory } from "./price-history";
import { ReportOver } from "./report-over";
import { ShareButton } from "./share-button";
import { Shelves } from "./shelves";

/** Optional texts of a product's page. */
const PAGE_LINES = LINES.filter(([, { onPage }]) => onPage);

export function ProductDetails({ product }: { product: Product | Card }) {
  const { title, source, shown, state } = product;
  const isCard = "excerpt" in product;
  const description = isCard ? product.excerpt : product.description;
  const effective = effectiveOf(product);
  const navigate = useNavigate();
  const canAlert = usePriceHistory(product._id).data?.alerts;
  return (
    <>
      <article className="product">
        <PageTitle of={truncate(title, titleExcerpt)} />
        <Gallery
          key={product._id}
          product={product}
          pictures={isCard ? [product.image].filter(Boolean) : product.images}
        />
        <div className="buy-box">
          <LongText
            key={`title ${product._id}`}
            long={isLong(title, longTitle) || (isLong(title, phoneTitle) && "phone")}
          >
            <h1 tabIndex={-1} id="t0">
              {title}
            </h1>
          </LongText>
          {shown?.notice && <Notice words={shown.notice} id={product._id} />}
          <p className="product-rating">
            {`${ratingLine(product, true)}${shown?.hidesRatings ? "" : " · "}${plural(clicksCount, product.clicks)}`}
          </p>
          <PriceLine product={product} large />
          {effective && (
            <p className="price-with">
              <b>{effective.amount}</b>
              {` ${effective.needs}`}
            </p>
          )}
          {shown?.ends && <p className="ends">{shown.ends}</p>}
          <VerdictPlate product={product} />
          <SavingLine product={product} />
          <BuyBar product={product} />
          <Offers offers={isCard ? undefined : product.offers} />
          <Disclosure />
          {shown?.disclosure && <p className="fineprint">{shown.disclosure}</p>}
          <p className="printed-link">{product.affiliateLink}</p>
          <div className="buy-more">
            <ShareButton title={title} />
            <SaveButton product={isCard ? product : cardOf(product)}>
              <span>{saveButton}</span>
            </SaveButton>
            {canAlert && <AlertButton ids={[product._id]} price={product.finalPrice} />}
            {state !== "ended" && <ReportOver key={product._id} id={product._id} />}
          </div>
          <ForAdmins product={product} onDeleted={() => navigate(paths.listing)} />
        </div>
        <div className="product-more">
          {state !== "ended" && <PriceHistory product={product} />}
          <section className="description">
            <h2>{descriptionTitle}</h2>
            <LongText key={product._id} long={isLong(description, longText)}>
              <p>{description}</p>
            </LongText>
          </section>
        </div>
        <dl className="facts">
          <Fact name={categoryFact}>{product.category}</Fact>
          <Fact name={sourceFact}>{source}</Fact>
          {!isCard && product.tags && (
            <Fact name={tagsFact}>
              {product.tags.map((tag, at) => (
                <Fragment key={tag}>
                  {at > 0 && ", "}
                  <Link to={`${paths.listing}?${new URLSearchParams({ tag })}`}>{tag}</Link>
                </Fragment>
              ))}
            </Fact>
          )}
          {PAGE_LINES.map(
            ([name, { label }]) =>
              !isCard && (
                <Fact key={name} name={label}>
                  {product[name]}
                </Fact>
              ),
          )}
          {!isCard && <Times product={product} />}
        </dl>
      </article>
      <Related product={product} />
    </>
  );
}

interface Effective {
  /** Price with the best offers. */
  amount: string;
  /** Its conditions with the code itself, like `with SAVE10 and HDFC card`. */
  needs: string;
}

function effectiveOf(product: Product | Card): Effective | undefined {
  const words = product.shown?.effective;
  if (words === undefined || product.state === "ended") {
    return undefined;
  }
  const code = "effectiveCode" in product ? product.effectiveCode : undefined;
  const at = words.indexOf(" ");
  const needs = words.slice(at + 1);
  return {
    amount: words.slice(0, at),
    needs: code ? needs.replace("code", () => code) : needs,
  };
}

/** The price and the link to the seller: at the bottom of the screen on phones. */
function BuyBar({ product }: { product: Product | Card }) {
  const small = product.shown?.effective ?? product.verdict?.words;
  return (
    <div className="buy-bar">
      {product.state !== "ended" && (
        <p aria-hidden>
          <Price product={product} />
          {small !== undefined && <small>{small}</small>}
        </p>
      )}
      <BuyLink product={product} number={0} />
    </div>
  );
}

function Times({ product: { createdAt, publishedAt = createdAt, endsAt, state } }: { product: Product }) {
  return (
    <>
      <Fact name={addedFact}>
        <time dateTime={publishedAt}>{day(publishedAt)}</time>
      </Fact>
      {endsAt && state === "live" && (
        <Fact name={endsFact}>
          <time dateTime={endsAt}>{day(endsAt)}</time>
        </Fact>
      )}
    </>
  );
}

/** A fact of the product; nothing without a value. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    children !== undefined && (
      <div>
        <dt>{name}</dt>
        <dd>{children}</dd>
      </div>
    )
  );
}

/** Why the product is in no list, with a link to its successor. */
function Notice({ words, id }: { words: string; id: string }) {
  const back = useAlike(id).data?.back;
  return (
    <p className="deal-notice">
      {back ? `${words} ` : words}
      {back && <Link to={paths.details(back._id)}>{back.words}</Link>}
    </p>
  );
}

function Related({ product: { _id, category, source } }: { product: Card | Product }) {
  const { data: alike } = useAlike(_id);
  return alike ? <Shelves {...alike} category={category} source={source} /> : null;
}
