import chevron from "icon:chevron-down";
import { type ReactNode, useId, useState } from "react";
import type { Product } from "../../api/types";
import { maxPrice } from "../../lib/constants.json";
import { finalPrice } from "../../lib/final-price";
import { paths } from "../../lib/paths";
import { count, percent, rupees } from "../../lib/rupees";
import { ago, daysAgo, moment, shortMoment } from "../../lib/time";
import { EditCell } from "../../product/office/prices/edit-cell";
import { FinalPriceCell } from "../../product/office/prices/final-price-cell";
import { largeChange } from "../../product/office/prices/large-change";
import { ProductCell } from "../../product/office/product-cell";
import type { PriceField, RowAction } from "../../product/office/row-changes";
import { RowMenu } from "../../product/office/row-menu";
import { Checkbox } from "../../ui/form/checkbox";
import { Icon } from "../../ui/icon";
import { Spark } from "../../ui/plot/spark";

/** Days after which a price may not be true any more, and those while visitors click, as in the work to do. */
const FRESH = 7;
const CLICKED = 3;

interface ProductRowProps {
  product: Product;
  /** Counted clicks on each of the last 30 days, if any. */
  trend: number[] | undefined;
  chosen: boolean;
  onChoose: (on: boolean) => void;
  onEdit: (product: Product, field: PriceField, value: number) => Promise<void>;
  onAction: (product: Product, action: RowAction) => void;
  /** The button that does what it needs. */
  act?: ReactNode;
}

/** A product in a row, and what is rarely needed of it in another one below. */
export function ProductRow({ product, trend, chosen, onChoose, onEdit, onAction, act }: ProductRowProps) {
  const { _id, title, source, category, images, clicks, priceSeenOn } = product;
  const [open, setOpen] = useState(false);
  const details = useId();
  const seen = daysAgo(priceSeenOn);
  const isClicked = trend?.slice(-7).some((day) => day > 0) ?? false;
  const isOld = seen.days > (isClicked ? CLICKED : FRESH);
  const life = lifeOf(product);
  return (
    <>
      <tr aria-selected={chosen}>
        <td>
          <Checkbox label={`Select ${title}`} checked={chosen} onChange={onChoose} />
        </td>
        <td>
          <ProductCell
            to={paths.updateProduct(_id)}
            state={{ product }}
            id={_id}
            title={title}
            source={source}
            category={category}
            image={images[0]}
            note={
              <>
                {life && (
                  <>
                    <time dateTime={life.time} title={moment(life.time)}>
                      {life.text}
                    </time>
                    {" · "}
                  </>
                )}
                {`${source} · ${category}`}
              </>
            }
          />
        </td>
        <td>
          <FinalPriceCell product={product} onSave={(value) => onEdit(product, "finalPrice", value)} />
        </td>
        <td>
          <time className={isOld ? "dot is-old" : "dot"} dateTime={priceSeenOn}>
            {seen.text}
          </time>
          {act}
        </td>
        <td className="text-ink-2">
          <span className="inline-block min-w-9 text-right">{count(clicks)}</span>
          {trend?.some((day) => day > 0) && <Spark values={trend} />}
        </td>
        <td>
          <button
            type="button"
            className="btn btn-plain"
            aria-label={`Details of ${title}`}
            aria-expanded={open}
            aria-controls={details}
            onClick={() => setOpen(!open)}
          >
            <Icon of={chevron} className={open ? "rotate-180" : undefined} />
          </button>
          <RowMenu product={product} onAction={onAction} />
        </td>
      </tr>
      {open && (
        <tr id={details} className="details-row">
          <td colSpan={6}>
            <Details product={product} onEdit={onEdit} />
          </td>
        </tr>
      )}
    </>
  );
}

function Details({ product, onEdit }: Pick<ProductRowProps, "product" | "onEdit">) {
  const { title, price, discount, createdAt, publishedAt = createdAt } = product;
  return (
    <dl className="flex flex-wrap items-center gap-x-8">
      <div>
        <dt>List price</dt>
        <dd>
          <EditCell
            label={`Price of ${title}`}
            value={price}
            shown={rupees(price)}
            most={maxPrice}
            mostShown={rupees(maxPrice)}
            largeChange={(value) => largeChange(price, value)}
            onSave={(value) => onEdit(product, "price", value)}
          />
        </dd>
      </div>
      <div>
        <dt>Discount</dt>
        <dd className={discount > 0 ? "text-saving" : undefined}>
          <EditCell
            label={`Discount of ${title}`}
            value={discount}
            shown={percent(discount)}
            most={100}
            mostShown={percent(100)}
            largeChange={(value) => largeChange(product.finalPrice, finalPrice(price, value))}
            onSave={(value) => onEdit(product, "discount", value)}
          />
        </dd>
      </div>
      <div>
        <dt>Added</dt>
        <dd className="py-3">
          <time dateTime={publishedAt} title={moment(publishedAt)}>
            {ago(publishedAt)}
          </time>
        </dd>
      </div>
    </dl>
  );
}

/** Returns when a deal starts or ends, or ended, in the words of its card if it has some. */
function lifeOf({ state, startsAt, endsAt, shown }: Product) {
  const [word, time] =
    state === "scheduled" ? ["Starts", startsAt] : [state === "ended" ? "Ended" : "Ends", endsAt];
  return time === undefined ? undefined : { time, text: shown?.ends ?? `${word} ${shortMoment(time)}` };
}
