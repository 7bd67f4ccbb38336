import type { Facets, Home } from "../../api/types";
import { maxSellers, tagline as usualTagline } from "../../lib/constants.json";
import { paths } from "../../lib/paths";
import { Sky } from "../../product/card/floor";
import { useShop } from "../../shop/shop";
import {
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

/** Letters of a tagline that is set smaller, so that the deals stay in sight. */
const LONG = 40;

/** The shop's promise on the band of its home page, above the mean of its prices over 90 days. */
export function ShopPromise({ facets, home }: { facets: Facets; home: Home }) {
  const { tagline, pages } = useShop();
  const hasAbout = pages.some(({ slug }) => slug === "about");
  const sellers = facets.sources.length;
  return (
    <section className={tagline.length > LONG ? "promise promise-long" : "promise"}>
      <div className="page">
        <div>
          <h1 tabIndex={-1}>{tagline || usualTagline}</h1>
          <p>
            {fill(dealsFromSellers, {
              deals: plural(dealsCount, facets.all),
              sellers:
                sellers < maxSellers
                  ? plural(sellersCount, sellers)
                  : fill(sellersOrMore, { count: sellers }),
              promise: home.promise,
            })}
          </p>
        </div>
        <ul>
          {home.seen !== null && <li>{fill(latestPrice, { when: home.seen })}</li>}
          <li>{noAdsNoTrackingShort}</li>
          <li>
            <a href={hasAbout ? paths.page("about") : "#earn"}>{howWeEarn}</a>
          </li>
        </ul>
      </div>
      <Sky path={home.path} />
    </section>
  );
}
