import type { Facets, Home, Pick } from "../../api/types";
import { maxSellers, minForPicks, provenPick, tagline as usualTagline } from "../../lib/constants.json";
import { paths } from "../../lib/paths";
import { count } from "../../lib/rupees";
import { VerdictLine } from "../../product/card/verdict";
import { priceText, ratingLine } from "../../product/price-line";
import { ProductPicture } from "../../product/product-picture";
import { Seller } from "../../product/seller";
import { useShop } from "../../shop/shop";
import {
  allCount,
  belowEveryPrice,
  categoryFrom,
  dealsCount,
  dealsFromSellers,
  howWeEarn,
  latestPrice,
  noAdsNoTrackingShort,
  sellersCount,
  sellersOrMore,
} from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { plural } from "../../texts/plural";
import { Link } from "../../ui/link";
import { picksHeading } from "./headings";

/** Smallest number of deals or categories that make a section. */
const SECTION = 3;

interface HomeProps {
  facets: Facets;
  home: Home;
}

/** Above the unfiltered list: the promise of the shop, and picks. */
export function HomeTop({ facets, home }: HomeProps) {
  return (
    <div className="home">
      <Strap facets={facets} home={home} />
      {facets.all > minForPicks && home.picks.length > 0 && <Picks facets={facets} home={home} />}
    </div>
  );
}

function Strap({ facets, home }: HomeProps) {
  const { tagline } = useShop();
  const sellers = facets.sources.length;
  return (
    <section className="strap">
      <div>
        <h1 tabIndex={-1}>{tagline || usualTagline}</h1>
        <p>
          {fill(dealsFromSellers, {
            deals: plural(dealsCount, facets.all),
            sellers:
              sellers < maxSellers ? plural(sellersCount, sellers) : fill(sellersOrMore, { count: sellers }),
            promise: home.promise,
          })}
        </p>
      </div>
      <ul>
        {home.seen !== null && <li>{fill(latestPrice, { when: home.seen })}</li>}
        <li>{noAdsNoTrackingShort}</li>
        <li>
          <a href="#earn">{howWeEarn}</a>
        </li>
      </ul>
    </section>
  );
}

function Picks({ facets, home: { picks, cheaper, note } }: HomeProps) {
  const all = fill(allCount, { count: count(facets.proven ?? 0) });
  const about = cheaper ? belowEveryPrice : note;
  return (
    <section>
      <div className="home-head">
        <h2>{picksHeading({ cheaper })}</h2>
        {about !== null && <p>{about}</p>}
        {cheaper && <Link to={`/?minProven=${provenPick}&sortBy=drop`}>{all}</Link>}
      </div>
      <ol className="best">
        {picks.map((pick, at) => (
          <li key={pick._id}>
            <BestDeal pick={pick} at={at} cheaper={cheaper} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function BestDeal({ pick, at, cheaper }: { pick: Pick; at: number; cheaper: boolean }) {
  const place = at === 0 ? "first" : at === 1 ? "seen" : "below";
  return (
    <Link to={paths.details(pick._id)} className="best-deal">
      <ProductPicture id={pick._id} src={pick.image} alt="" category={pick.category} place={place} />
      <div>
        <span className="clamp-2">{pick.title}</span>
        <span className="price">
          <span>{priceText(pick)}</span>
          {pick.verdict?.less && <b>{pick.verdict.less}</b>}
        </span>
        {cheaper && <VerdictLine product={pick} />}
        {pick.verdict?.sentence && <small>{pick.verdict.sentence}</small>}
        <span className="best-foot">
          <Seller name={pick.source} />
          {pick.ratings && <small>{ratingLine({ ...pick, ratings: pick.ratings })}</small>}
        </span>
      </div>
    </Link>
  );
}

/** Below the unfiltered list: categories with a picture. */
export function CategoryTiles({ facets, home }: HomeProps) {
  return facets.all > minForPicks && home.categories.length >= SECTION ? (
    <ul className="home shop-tiles">
      {home.categories.map(({ name, products, from, image }) => (
        <li key={name}>
          <Link to={`/?category=${name}`} className="shop-tile">
            <span>
              <b>{name}</b>
              <small>{`${plural(dealsCount, products)}${from === null ? "" : ` · ${fill(categoryFrom, { price: from })}`}`}</small>
            </span>
            <ProductPicture src={image} alt="" category={name} />
          </Link>
        </li>
      ))}
    </ul>
  ) : null;
}
