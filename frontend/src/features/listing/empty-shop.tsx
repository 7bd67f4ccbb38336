// Mirrored by src/http/pages/list/mod.rs

import { lazy, Suspense } from "react";
import { webAddress } from "../../lib/links";
import { useSession } from "../../session/session";
import { channelsOf, useShop } from "../../shop/shop";
import { ButtonAnchor } from "../../ui/button";

const OpeningSteps = lazy(() => import("./opening-steps"));

/** The list of a shop without products: nothing to filter or sort. */
export function EmptyShop() {
  const { isStaff } = useSession();
  const shop = useShop();
  const { tagline, mark } = shop;
  return (
    <div className="opening">
      <img src={mark} alt="" width={64} height={64} />
      <h1 tabIndex={-1}>Opening soon</h1>
      {tagline !== "" && <p>{tagline}</p>}
      {isStaff ? (
        <Suspense>
          <OpeningSteps />
        </Suspense>
      ) : (
        <>
          <p>The first deals will be here soon, each with the day its price was seen.</p>
          <div>
            {channelsOf(shop).map(([name, link]) => (
              <ButtonAnchor key={name} href={webAddress(link)}>{`Follow on ${name}`}</ButtonAnchor>
            ))}
            <ButtonAnchor href="/feed.xml">Follow by feed</ButtonAnchor>
          </div>
        </>
      )}
    </div>
  );
}
