import { useHome } from "../api/products/related";
import { paths } from "../lib/paths";
import { allDeals } from "../texts/en.json";
import { picksHeading } from "./home";
import { Strip } from "./strip";

/** The picks of the home page, on a page without a deal of its own. */
export function PicksStrip({ isShown = true }: { isShown?: boolean }) {
  const { data: home } = useHome(isShown);
  return (
    home && (
      <Strip heading={picksHeading(home)} all={paths.listing} allLabel={allDeals} products={home.picks} />
    )
  );
}
