import type { Product } from "../../api/types";
import { maxPrice } from "../../lib/constants.json";
import { paths } from "../../lib/paths";
import { count, rupees } from "../../lib/rupees";
import { ago, moment, shortMoment } from "../../lib/time";
import { EditCell } from "../../product/office/edit-cell";
import { exactPercent } from "../../product/office/exact-percent";
import { FinalPriceCell } from "../../product/office/final-price-cell";
import { ProductCell } from "../../product/office/product-cell";
import type { PriceField, RowAction } from "../../product/office/row-changes";
import { RowMenu } from "../../product/office/row-menu";
import { Checkbox } from "../../ui/form/checkbox";
import { Spark } from "../../ui/plot/spark";

interface ProductRowProps {
  product: Product;
  /** Counted clicks on each of the last 30 days, if any. */
  trend: number[] | undefined;
  chosen: boolean;
  onChoose: (on: boolean) => void;
  onEdit: (product: Product, field: PriceField, value: number) => Promise<void>;
  onAction: (product: Product, action: RowAction) => void;
}

export function ProductRow({ product, trend, chosen, onChoose, onEdit, onAction }: ProductRowProps) {
  const {
    _id,
    title,
    source,
    category,
    images,
    price,
    discount,
    clicks,
    createdAt,
    publishedAt = createdAt,
  } = product;
  return (
    <tr aria-selected={chosen}>
      <td>
        <Checkbox label={`Choose ${title}`} checked={chosen} onChange={onChoose} />
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
        />
      </td>
      <td className="num">
        <EditCell
          label={`Price of ${title}`}
          value={price}
          shown={rupees(price)}
          most={maxPrice}
          mostShown={rupees(maxPrice)}
          onSave={(value) => onEdit(product, "price", value)}
        />
      </td>
      <td className={discount > 0 ? "num is-saving" : "num"}>
        <EditCell
          label={`Discount of ${title}`}
          value={discount}
          shown={exactPercent(discount)}
          most={100}
          mostShown={exactPercent(100)}
          onSave={(value) => onEdit(product, "discount", value)}
        />
      </td>
      <td className="num">
        <FinalPriceCell product={product} onSave={(value) => onEdit(product, "finalPrice", value)} />
      </td>
      <td className="num">
        {count(clicks)}
        <Spark values={trend ?? [0, 0]} />
      </td>
      <td className="num text-ink-2">
        <time dateTime={publishedAt} title={moment(publishedAt)}>
          {ago(publishedAt)}
        </time>
        <Lifetime product={product} />
      </td>
      <td>
        <RowMenu product={product} onAction={onAction} />
      </td>
    </tr>
  );
}

function Lifetime({ product: { state, startsAt, endsAt, shown } }: { product: Product }) {
  const [word, time] =
    state === "scheduled" ? ["Starts", startsAt] : [state === "ended" ? "Ended" : "Ends", endsAt];
  return time === undefined ? null : (
    <small className="next">
      <time dateTime={time} title={moment(time)}>
        {shown?.ends ?? `${word} ${shortMoment(time)}`}
      </time>
    </small>
  );
}
