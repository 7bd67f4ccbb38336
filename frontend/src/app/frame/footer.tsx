import { webAddress } from "../../lib/links";
import { paths } from "../../lib/paths";
import { categoryPath } from "../../shop/categories";
import { channelsOf, useShop } from "../../shop/shop";
import { categoriesTitle, feedLink, noAdsNoTracking, sellersLabel } from "../../texts/en.json";
import { Link } from "../../ui/link";
import { Brand } from "./brand";

export function Footer() {
  const shop = useShop();
  const { name, disclosure, pages, categories, sellers } = shop;
  const links = channelsOf(shop);
  return (
    <footer className="site-footer">
      <div className="page">
        <div>
          <Brand />
          <p id="earn">{disclosure}</p>
          <p className="fineprint">{noAdsNoTracking}</p>
        </div>
        <div>
          <h2>{categoriesTitle}</h2>
          <ul>
            {categories.map(
              ({ name, hidden, parent }) =>
                !hidden &&
                parent === undefined && (
                  <li key={name}>
                    <Link to={categoryPath(categories, name)}>{name}</Link>
                  </li>
                ),
            )}
          </ul>
          {sellers && (
            <>
              <h2>{sellersLabel}</h2>
              <ul>
                {sellers.map(({ name, path }) => (
                  <li key={path}>
                    <Link to={path}>{name}</Link>
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
        <nav aria-labelledby="footer-shop">
          <h2 id="footer-shop">{name}</h2>
          <ul>
            {pages.map(({ slug, title }) => (
              <li key={slug}>
                <Link to={paths.page(slug)}>{title}</Link>
              </li>
            ))}
            {links.map(([title, link]) => (
              <li key={title}>
                <a href={webAddress(link)}>{title}</a>
              </li>
            ))}
            <li>
              <a href="/feed.xml">{feedLink}</a>
            </li>
          </ul>
        </nav>
      </div>
    </footer>
  );
}
