import { useLinkDuplicates } from "../../../api/office/links";
import type { LinkDuplicates } from "../../../api/types";
import { office } from "../../../lib/office-paths";
import { paths } from "../../../lib/paths";
import { counted, rupees } from "../../../lib/rupees";
import type { Kept } from "../../../product/office/row-changes";
import { ButtonLink } from "../../../ui/button";
import { Link } from "../../../ui/link";
import { Loaded } from "../../../ui/loaded";
import { Notice } from "../../../ui/notice";
import { Group, Twin } from "./group";

interface LinkGroupsProps {
  /** Called with the product to keep and the ids of the others. */
  onKeep: (product: Kept, others: string[]) => void;
}

/** Products of a seller that are the same by their links, in groups. */
export function LinkGroups({ onKeep }: LinkGroupsProps) {
  return (
    <Loaded call={useLinkDuplicates()} failure="Failed to load products">
      {(data) => <Groups found={data} onKeep={onKeep} />}
    </Loaded>
  );
}

function Groups({ found, onKeep }: LinkGroupsProps & { found: LinkDuplicates }) {
  if (found.total === 0) {
    return (
      <Notice title="No two deals have the same link.">
        <ButtonLink to={office.products}>Show live deals</ButtonLink>
      </Notice>
    );
  }
  const shown = found.data.length;
  return (
    <>
      <p className="hint">
        Deals of a seller whose links lead to the same product, or with links that differ only in the tag.
        “Keep the cheapest” keeps the cheapest live deal of a group, at equal prices the one with the most
        clicks, then the oldest, and deletes the other live ones.
        {found.total > shown &&
          ` The first ${shown} of ${counted(found.total, "group", "groups")} are shown.`}
      </p>
      <ul aria-label="Groups" className="grid gap-4">
        {found.data.map((group) => (
          <SameLinks key={group.products[0]?._id} group={group} onKeep={onKeep} />
        ))}
      </ul>
    </>
  );
}

type LinkGroup = LinkDuplicates["data"][number];

function SameLinks({ group, onKeep }: LinkGroupsProps & { group: LinkGroup }) {
  const { products, total, keep, source, productId } = group;
  const [first] = products;
  const kept = products.find(({ _id }) => _id === keep);
  const others = products.filter(({ _id, state }) => _id !== keep && state === "live").map(({ _id }) => _id);
  return (
    <Group
      title={first?.title}
      note={
        <>
          {source} · {counted(total, "deal", "deals")}
          {productId !== null && ` · ${productId}`}
          {total > products.length && `, the ${products.length} oldest are shown`}
        </>
      }
      keeps={kept?.title}
      onKeep={() => kept && onKeep(kept, others)}
    >
      {products.map((product) => (
        <SameLink key={product._id} product={product} source={source} kept={product._id === keep} />
      ))}
    </Group>
  );
}

interface SameLinkProps {
  product: LinkGroup["products"][number];
  source: string;
  kept: boolean;
}

function SameLink({
  product: { _id, title, finalPrice, affiliateLink, state },
  source,
  kept,
}: SameLinkProps) {
  return (
    <Twin kept={kept}>
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
        {kept && <b className="ml-3 text-saving">Stays</b>}
      </p>
    </Twin>
  );
}
