import { useLinkDuplicates } from "../../../api/office/links";
import type { LinkDuplicates } from "../../../api/types";
import { office } from "../../../lib/office-paths";
import { paths } from "../../../lib/paths";
import { counted, rupees } from "../../../lib/rupees";
import type { Kept } from "../../../product/office/row-changes";
import { Button, ButtonLink } from "../../../ui/button";
import { Link } from "../../../ui/link";
import { Notice } from "../../../ui/notice";

interface LinkGroupsProps {
  /** Called with the product to keep and the ids of the others. */
  onKeep: (product: Kept, others: string[]) => void;
}

/** Products of a seller that are the same by their links, in groups. */
export function LinkGroups({ onKeep }: LinkGroupsProps) {
  const { data, error, mutate } = useLinkDuplicates();
  if (error && !data) {
    return (
      <Notice title="Failed to load products">
        <Button onClick={() => void mutate()}>Retry</Button>
      </Notice>
    );
  }
  if (!data) {
    return null;
  }
  if (data.total === 0) {
    return (
      <Notice title="No two deals have the same link.">
        <ButtonLink to={office.products}>Show live deals</ButtonLink>
      </Notice>
    );
  }
  const shown = data.data.length;
  return (
    <>
      <p className="hint">
        Deals of a seller with the same product in their links, or with links that differ only in the tag.
        “Keep cheaper” keeps the cheapest live deal of a group, at equal prices the one with the most clicks,
        then the oldest, and deletes the other live ones.
        {data.total > shown && ` The first ${shown} of ${counted(data.total, "group", "groups")} are shown.`}
      </p>
      <ul aria-label="Groups" className="twins">
        {data.data.map((group) => (
          <li key={group.products[0]?._id} className="panel">
            <Group group={group} onKeep={onKeep} />
          </li>
        ))}
      </ul>
    </>
  );
}

type LinkGroup = LinkDuplicates["data"][number];

function Group({ group, onKeep }: LinkGroupsProps & { group: LinkGroup }) {
  const { products, total, keep, source, productId } = group;
  const [first] = products;
  const kept = products.find(({ _id }) => _id === keep);
  const others = products.filter(({ _id, state }) => _id !== keep && state === "live").map(({ _id }) => _id);
  return (
    <>
      <div className="twins-head">
        <div>
          <h2 className="font-semibold">
            <span className="clamp-2">{first?.title}</span>
          </h2>
          <p className="quiet">
            {source} · {counted(total, "deal", "deals")}
            {productId !== null && ` · ${productId}`}
            {total > products.length && `, the ${products.length} oldest are shown`}
          </p>
        </div>
        {kept && (
          <Button
            className="shrink-0"
            aria-label={`Keep cheaper: ${kept.title}`}
            onClick={() => onKeep(kept, others)}
          >
            Keep cheaper
          </Button>
        )}
      </div>
      <ul className="twins-row">
        {products.map((product) => (
          <Twin key={product._id} product={product} source={source} kept={product._id === keep} />
        ))}
      </ul>
    </>
  );
}

interface TwinProps {
  product: LinkGroup["products"][number];
  source: string;
  kept: boolean;
}

function Twin({ product: { _id, title, finalPrice, affiliateLink, state }, source, kept }: TwinProps) {
  return (
    <li className="twin grid-cols-1" data-kept={kept || undefined}>
      <div>
        <p>
          <b className="tabular">{rupees(finalPrice)}</b> <span className="clamp-2">{title}</span>
        </p>
        <p className="quiet break-all">{affiliateLink}</p>
        <p className="quiet">
          <Link
            className="link"
            to={paths.updateProduct(_id)}
            aria-label={`Update ${title} of ${source} at ${rupees(finalPrice)}`}
          >
            Update
          </Link>
          {state !== "live" && ` · ${state}`}
          {kept && <b className="ml-3 text-saving">Is kept</b>}
        </p>
      </div>
    </li>
  );
}
