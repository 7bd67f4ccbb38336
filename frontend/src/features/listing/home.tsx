import type { Facets, Home, Pick } from "../../api/types";
import { minForPicks, provenPick } from "../../lib/constants.json";
import { paths } from "../../lib/paths";
import { count } from "../../lib/rupees";
import { Floor } from "../../product/card/floor";
import { Price, Where } from "../../product/price-line";
import { ProductPicture } from "../../product/product-picture";
import { Mini } from "../../product/strip";
import { useCategoryPath } from "../../shop/categories";
import { allCount, belowEveryPrice, categoryFrom, dealsCount, todayIs } from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { plural } from "../../texts/plural";
import { Link } from "../../ui/link";
import { IN_CARD } from "../../ui/picture";
import { picksHeading } from "./headings";

/** Smallest number of deals or categories that make a section. */
const SECTION = 3;

interface HomeProps {
  facets: Facets;
  home: Home;
}

/** Above the unfiltered list: picks, and categories with a picture. */
export function HomeTop({ facets, home }: HomeProps) {
  return facets.all > minForPicks ? (
    <div className="home">
      {home.picks.length > 0 && <Picks facets={facets} home={home} />}
      {home.categories.length >= SECTION && <CategoryTiles home={home} />}
    </div>
  ) : null;
}

function Picks({ facets, home: { picks, cheaper, note } }: HomeProps) {
  const about = cheaper ? belowEveryPrice : note;
  return (
    <section>
      <div className="head">
        <h2>{picksHeading({ cheaper })}</h2>
        {about !== null && <p>{about}</p>}
        {cheaper && (
          <Link to={`/?minProven=${provenPick}&sortBy=drop`}>
            {fill(allCount, { count: count(facets.proven ?? 0) })}
          </Link>
        )}
      </div>
      <ol className="best">
        {picks.map((pick, at) => (
          <li key={pick._id}>
            {at === 0 ? (
              <Poster pick={pick} />
            ) : (
              <Mini product={pick} place={at === 1 ? "seen" : "below"} isQuiet={!cheaper} />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The best pick, with its history as the ground. */
function Poster({ pick }: { pick: Pick }) {
  const { _id, title, image, category, verdict } = pick;
  return (
    <Link to={paths.details(_id)} className="poster">
      <ProductPicture
        id={_id}
        src={image}
        alt=""
        category={category}
        place="first"
        sizes={IN_CARD}
        className="stage"
      >
        <Floor product={pick} isQuiet />
      </ProductPicture>
      <span className="say">
        <span className="clamp-2">{title}</span>
        <span className="price">
          <Price product={pick} />
        </span>
        {verdict?.sentence && <span className="cheaper">{verdict.sentence}</span>}
        <Where product={pick} />
      </span>
      {verdict?.began && <small className="tick">{verdict.began}</small>}
      {verdict?.began && <small className="tick">{fill(todayIs, { words: verdict.words })}</small>}
    </Link>
  );
}

function CategoryTiles({ home }: { home: Home }) {
  const categoryPath = useCategoryPath();
  return (
    <ul className="shop-tiles">
      {home.categories.map(({ name, products, from, image }) => (
        <li key={name}>
          <Link to={categoryPath(name)} className="shop-tile">
            <ProductPicture src={image} alt="" category={name} />
            <span>
              <b>{name}</b>
              <small>{plural(dealsCount, products)}</small>
              {from !== null && <small>{fill(categoryFrom, { price: from })}</small>}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
