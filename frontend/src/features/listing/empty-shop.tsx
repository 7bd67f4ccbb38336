import { lazy, Suspense } from "react";
import { webAddress } from "../../lib/links";
import { useSession } from "../../session/session";
import { channelsOf, ShopMark, useShop } from "../../shop/shop";
import { followByFeed, followOn, openingSoon, openingSoonHint } from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { ButtonAnchor } from "../../ui/button";

const OpeningSteps = lazy(() => import("./opening-steps"));

/** The list of a shop without products: nothing to filter or sort. */
export function EmptyShop() {
  const { isStaff } = useSession();
  const shop = useShop();
  const { tagline } = shop;
  return (
    <div className="opening">
      <p className="brand">
        <ShopMark />
      </p>
      <h1 tabIndex={-1}>{openingSoon}</h1>
      {tagline !== "" && <p>{tagline}</p>}
      {isStaff ? (
        <Suspense>
          <OpeningSteps />
        </Suspense>
      ) : (
        <>
          <p>{openingSoonHint}</p>
          <div>
            {channelsOf(shop).map(([name, link]) => (
              <ButtonAnchor key={name} href={webAddress(link)}>
                {fill(followOn, { channel: name })}
              </ButtonAnchor>
            ))}
            <ButtonAnchor href="/feed.xml">{followByFeed}</ButtonAnchor>
          </div>
        </>
      )}
    </div>
  );
}
