import { lazy, Suspense, useEffect, useState } from "react";
import type { ShownOffer } from "../../api/types";
import { day } from "../../lib/day";
import { offersCheckedOn, offersTitle } from "../../texts/en.json";
import { fill } from "../../texts/fill";

// It does nothing before hydration.
const CopyCode = lazy(() => import("./copy-code"));

/** The offers of a deal or a seller, those that need a larger order last. */
export function Offers({ offers = [] }: { offers: readonly ShownOffer[] | undefined }) {
  const checkedAt = offers[0]?.checkedAt;
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const sorted = offers.toSorted((a, b) => Number(a.isTooSmall ?? false) - Number(b.isTooSmall ?? false));
  return offers.length === 0 ? null : (
    <section className="offers">
      <h2>{offersTitle}</h2>
      <ul>
        {sorted.map(({ code, words, title, off, condition, scope, isTooSmall }) => (
          <li key={`${code} ${words} ${scope}`} className={isTooSmall ? "seen" : undefined}>
            {code && !ready && <code>{code}</code>}
            <span>
              <b>{off ?? title}</b>
              {[off && title, condition, scope].filter(Boolean).join(" · ")}
            </span>
            {code && ready && (
              <Suspense fallback={<code>{code}</code>}>
                <CopyCode code={code} />
              </Suspense>
            )}
          </li>
        ))}
      </ul>
      {checkedAt && <p className="seen">{fill(offersCheckedOn, { day: day(checkedAt) })}</p>}
    </section>
  );
}
