import type { DuplicateGroup, Product } from "../../../api/types";
import { paths } from "../../../lib/paths";
import { counted, rupees } from "../../../lib/rupees";
import { ago, moment } from "../../../lib/time";
import { ProductPicture } from "../../../product/product-picture";
import { Link } from "../../../ui/link";
import { Group, Twin } from "./group";

interface DuplicateGroupsProps {
  groups: DuplicateGroup[];
  /** Called with the product to keep and the ids of the others. */
  onKeep: (product: Product, others: string[]) => void;
}

/** Groups of possible duplicates, each with its products side by side. */
export function DuplicateGroups({ groups, onKeep }: DuplicateGroupsProps) {
  return (
    <>
      <p className="hint">
        Deals with the same title and seller. “Keep the cheapest” keeps the cheapest of a group, at equal
        prices the one with the most clicks, then the oldest, and deletes the others. Clicks of the deleted
        ones stay in the reports; they are not added to the deal that is kept.
      </p>
      <ul aria-label="Groups" className="grid gap-4">
        {groups.map((group) => (
          <Duplicates key={group.keep} group={group} onKeep={onKeep} />
        ))}
      </ul>
    </>
  );
}

function Duplicates({ group, onKeep }: Pick<DuplicateGroupsProps, "onKeep"> & { group: DuplicateGroup }) {
  const { products, total, keep } = group;
  const [first] = products;
  const kept = products.find(({ _id }) => _id === keep);
  if (first === undefined || kept === undefined) {
    return null;
  }
  const others = products.map(({ _id }) => _id).filter((id) => id !== keep);
  return (
    <Group
      title={first.title}
      note={
        <>
          {first.source} · {counted(total, "deal", "deals")}
          {total > products.length && `, the ${products.length} cheapest are shown`}
        </>
      }
      keeps={first.title}
      onKeep={() => onKeep(kept, others)}
    >
      {products.map((product) => (
        <Duplicate key={product._id} product={product} kept={product._id === keep} />
      ))}
    </Group>
  );
}

function Duplicate({ product, kept }: { product: Product; kept: boolean }) {
  const { _id, title, source, category, images, price, finalPrice, clicks, createdAt } = product;
  return (
    <Twin
      kept={kept}
      picture={<ProductPicture id={_id} src={images[0]} alt="" category={category} className="w-[72px]" />}
    >
      <p>
        <b className="tabular">{rupees(finalPrice)}</b>{" "}
        {price > finalPrice && <s className="quiet tabular">{rupees(price)}</s>}
      </p>
      <p className="quiet">
        {counted(clicks, "click", "clicks")} · added{" "}
        <time dateTime={createdAt} title={moment(createdAt)}>
          {ago(createdAt)}
        </time>
      </p>
      <p className="quiet">
        <Link
          className="link"
          to={paths.updateProduct(_id)}
          state={{ product }}
          aria-label={`Update ${title} of ${source} at ${rupees(finalPrice)}`}
        >
          Update
        </Link>
        {kept && <b className="ml-3 text-saving">Stays</b>}
      </p>
    </Twin>
  );
}
