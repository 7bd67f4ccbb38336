import type { Mover } from "../../api/types";
import { paths } from "../../lib/paths";
import { count } from "../../lib/rupees";
import { ProductCell } from "../../product/office/product-cell";
import { Block } from "../../ui/office-screen";
import { Spark } from "../../ui/plot/spark";

export function Movers({ movers }: { movers: Mover[] }) {
  return (
    <Block title="Movers" className="movers" note="7 days against the 7 before, counted clicks">
      {movers.length === 0 ? (
        <p className="hint">No deal has moved much. It takes 20 clicks in a week to be listed.</p>
      ) : (
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">Deal</th>
              <th scope="col" className="num wide-cell">
                14 days
              </th>
              <th scope="col" className="num mid-cell">
                Before
              </th>
              <th scope="col" className="num">
                Now
              </th>
              <th scope="col" className="num">
                Change
              </th>
            </tr>
          </thead>
          <tbody>
            {movers.map(({ _id, title, source, category, image, now, before, days }) => (
              <tr key={_id}>
                <td>
                  <ProductCell
                    to={paths.details(_id)}
                    id={_id}
                    title={title}
                    source={source}
                    category={category}
                    image={image}
                  />
                </td>
                <td className="num wide-cell">
                  <Spark values={days} />
                </td>
                <td className="num mid-cell text-ink-2">{count(before)}</td>
                <td className="num">
                  <b>{count(now)}</b>
                </td>
                <td className="num">×{factor(now, before)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Block>
  );
}

/** Returns the growth of clicks, smoothed by five clicks. */
function factor(now: number, before: number): string {
  return ((now + 5) / (before + 5)).toFixed(1);
}
