import { useSources } from "../../../api/office/sources";
import { counted } from "../../../lib/rupees";
import { TagForm } from "../../../product/office/affiliate/tag-form";
import { Loaded } from "../../../ui/loaded";

/** The affiliate tags of the sellers that the shop has. */
export function TagsStep() {
  const call = useSources();
  return (
    <Loaded call={call} failure="The sellers could not be loaded">
      {({ data }) => (
        <>
          <p className="hint">
            A seller pays you for a sale when the link has your tag: the id that its affiliate programme gave
            you, like name-21 of Amazon Associates. It is put into the links of all deals, also of those that
            you add later.
          </p>
          {data.length === 0 && <p>Your sellers stand here once you have deals of them.</p>}
          {data
            .filter(({ noTag, tag }) => noTag === undefined || tag !== "")
            .map((seller) => (
              <section key={seller.source} aria-label={seller.source}>
                <h3>
                  {seller.source} <small>{counted(seller.products, "deal", "deals")}</small>
                </h3>
                <TagForm of={seller} />
              </section>
            ))}
        </>
      )}
    </Loaded>
  );
}
