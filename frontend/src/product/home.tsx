import type { Facets, Home, Pick, ShownSection } from "../api/types";
import { minForPicks, provenPick } from "../lib/constants.json";
import { paths } from "../lib/paths";
import { count } from "../lib/rupees";
import { collectionPath, useCategoryPath } from "../shop/categories";
import { useShop } from "../shop/shop";
import {
  allCount,
  allOfThem,
  belowEveryPrice,
  categoryFrom,
  cheaperToday,
  clickedThisWeek,
  collectionsTitle,
  dealsCount,
  endingSoonLabel,
  goodToBeginWith,
  newestDeals,
  todayIs,
} from "../texts/en.json";
import { fill } from "../texts/fill";
import { plural } from "../texts/plural";
import { Link } from "../ui/link";
import { IN_CARD, Picture } from "../ui/picture";
import { StagedPicture } from "./card/floor";
import { Price, Where } from "./price-line";
import { ProductPicture } from "./product-picture";
import { Less, Mini, Strip } from "./strip";

/** Smallest number of deals or categories that make a section. */
const SECTION = 3;

interface HomeProps {
  facets: Facets;
  home: Home;
}

/** Above the unfiltered list: the owner's sections, or picks, and categories with a picture. */
export function HomeTop({ facets, home }: HomeProps) {
  const { sections } = home;
  const collections = <Collections />;
  if (sections) {
    return (
      <div className="home">
        {sections.map((section, at) => (
          <Section
            // biome-ignore lint/suspicious/noArrayIndexKey: sections have no names, and no state
            key={at}
            facets={facets}
            home={home}
            section={section}
            isFirst={at === 0}
          />
        ))}
        {collections}
      </div>
    );
  }
  return facets.all > minForPicks ? (
    <div className="home">
      {home.picks.length > 0 && <Picks facets={facets} home={home} />}
      {home.categories.length >= SECTION && <CategoryTiles home={home} />}
      {collections}
    </div>
  ) : null;
}

/** Headings of kinds that have one of their own. */
const HEADINGS: Partial<Record<ShownSection["kind"], string>> = {
  newest: newestDeals,
  clicked: clickedThisWeek,
  ending: endingSoonLabel,
};

interface SectionProps extends HomeProps {
  section: ShownSection;
  isFirst: boolean;
}

function Section({ facets, home, section, isFirst }: SectionProps) {
  const { kind, title, products = [], link, html, picture, alt = "" } = section;
  if (kind === "picks") {
    return <Picks facets={facets} home={home} title={title} />;
  }
  const heading = title !== "" && <h2>{title}</h2>;
  if (kind === "categories") {
    return (
      <section>
        {heading && <div className="head">{heading}</div>}
        <CategoryTiles home={home} />
      </section>
    );
  }
  if (html !== undefined) {
    return (
      <section>
        {heading && <div className="head">{heading}</div>}
        {/* Made by the server from Markdown, without raw HTML (src/storefront/markdown.rs). */}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: as above */}
        <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
      </section>
    );
  }
  return picture === undefined ? (
    <Strip
      heading={title || HEADINGS[kind] || ""}
      all={link}
      allLabel={allOfThem}
      products={products}
      isFirst={isFirst}
    />
  ) : (
    <a href={link} className="banner">
      <Picture
        src={picture}
        alt={alt}
        drawing="package"
        sizes="(width >= 64rem) 45rem, 100vw"
        isFirst={isFirst}
      />
      {heading}
    </a>
  );
}

/** Heading of the picks. */
export function picksHeading({ cheaper }: { cheaper: boolean }): string {
  return cheaper ? cheaperToday : goodToBeginWith;
}

/** Picks with one large one; more are in a row. */
const LARGE = 5;

function Picks({ facets, home: { picks, cheaper, note }, title }: HomeProps & { title?: string }) {
  const about = cheaper ? belowEveryPrice : note;
  return (
    <section>
      <div className="head">
        <h2>{title || picksHeading({ cheaper })}</h2>
        {about !== null && <p>{about}</p>}
        {cheaper && (
          <Link to={`/?minProven=${provenPick}&sortBy=drop`}>
            {fill(allCount, { count: count(facets.proven ?? 0) })}
          </Link>
        )}
      </div>
      <ol className="best">
        {picks.slice(0, LARGE).map((pick, at) => (
          <li key={pick._id}>
            {at === 0 ? <Poster pick={pick} /> : <Mini product={pick} isQuiet={!cheaper} />}
          </li>
        ))}
      </ol>
      {picks.length > LARGE && (
        <ul className="strip">
          {picks.slice(LARGE).map((pick) => (
            <li key={pick._id}>
              <Mini product={pick} isQuiet={!cheaper} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The best pick, with its history as the ground. */
function Poster({ pick }: { pick: Pick }) {
  const { _id, title, image, verdict } = pick;
  return (
    <Link to={paths.details(_id)} className="poster">
      <StagedPicture product={pick} id={_id} src={image} alt="" isFirst sizes={IN_CARD} isQuiet />
      <span className="say">
        <span className="clamp-2">{title}</span>
        <span className="price">
          <Price product={pick} isShort />
          {!verdict?.sentence && <Less product={pick} />}
        </span>
        {verdict?.sentence && <span className="cheaper">{verdict.sentence}</span>}
        <Where product={pick} />
      </span>
      {verdict?.began && <small className="tick">{verdict.began}</small>}
      {verdict?.began && <small className="tick">{fill(todayIs, { words: verdict.words })}</small>}
    </Link>
  );
}

/** Links to the collections that the owner chose for the home page. */
function Collections() {
  const { collections = [] } = useShop();
  const chosen = collections.filter(({ onHome }) => onHome);
  return chosen.length === 0 ? null : (
    <ul aria-label={collectionsTitle} className="collections">
      {chosen.map(({ slug, name }) => (
        <li key={slug}>
          <Link to={collectionPath(slug)} className="chip">
            <span>{name}</span>
          </Link>
        </li>
      ))}
    </ul>
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
