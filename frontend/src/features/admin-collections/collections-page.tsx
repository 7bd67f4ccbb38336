import { useState } from "react";
import { useCollectionList } from "../../api/office/collections";
import { OfficeList } from "../../ui/office-list";
import { OfficeScreen } from "../../ui/office-screen";
import { CollectionForm } from "./collection-form";
import { CollectionRow } from "./collection-row";

/** The collections by name, and the form for another. */
export default function CollectionsPage() {
  const call = useCollectionList();
  const [added, setAdded] = useState<string>();
  return (
    <OfficeScreen title="Collections">
      <p className="hint max-w-[44rem]">
        Deals that belong together, like those for an occasion: found by a rule, or chosen one by one.
      </p>
      <div className="list-first">
        <OfficeList
          title="All collections"
          failure="The collections could not be loaded"
          none="No collections yet."
          call={call}
        >
          {(collection) => (
            <CollectionRow key={collection.slug} of={collection} isNew={collection.name === added} />
          )}
        </OfficeList>
        <section aria-label="New collection" className="pane">
          <div className="pane-head">
            <h2>New collection</h2>
          </div>
          <CollectionForm onDone={setAdded} />
        </section>
      </div>
    </OfficeScreen>
  );
}
