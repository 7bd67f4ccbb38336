import type { Mover } from "../../api/types";
import { paths } from "../../lib/paths";
import { count, counted } from "../../lib/rupees";
import { ProductCell } from "../../product/office/product-cell";
import { Block } from "../../ui/office-screen";

export function Movers({ movers }: { movers: Mover[] }) {
  const inOrder = movers.toSorted((one, other) => other.now - other.before - (one.now - one.before));
  return (
    <Block title="Rising and falling" note="clicks compared with the week before">
      {movers.length === 0 ? (
        <p className="hint">No deal has moved much. It takes 20 clicks in a week to be listed.</p>
      ) : (
        <ul className="deal-rows">
          {inOrder.map(({ _id, title, source, category, image, now, before }) => (
            <li
              key={_id}
              className="flex items-center justify-between gap-3 border-line border-t py-2.5 first:border-t-0 first:pt-0"
            >
              <ProductCell
                to={paths.details(_id)}
                id={_id}
                title={title}
                source={source}
                category={category}
                image={image}
                note={`${counted(now, "click", "clicks")} this week, ${before} before`}
              />
              <b className={now > before ? "display text-lg text-saving" : "display text-lg text-ink-3"}>
                {now > before ? "+" : "−"}
                {count(Math.abs(now - before))}
              </b>
            </li>
          ))}
        </ul>
      )}
    </Block>
  );
}
