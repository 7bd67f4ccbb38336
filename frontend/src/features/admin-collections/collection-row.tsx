import { useState } from "react";
import { useCollectionChanges } from "../../api/office/collections";
import type { Collection } from "../../api/types";
import { counted } from "../../lib/rupees";
import { useAttempt } from "../../session/use-attempt";
import { collectionPath } from "../../shop/categories";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { Link } from "../../ui/link";
import { CollectionForm } from "./collection-form";

/** A collection with what can be done with it. */
export function CollectionRow({ of: collection }: { of: Collection }) {
  const { remove } = useCollectionChanges();
  const [open, setOpen] = useState(false);
  const [asking, setAsking] = useState(false);
  const attempt = useAttempt();
  const { name, slug, total, runs, startsAt, onHome, inMenu } = collection;
  const state = runs ? "" : startsAt && Date.parse(startsAt) > Date.now() ? " · not begun" : " · ended";
  const removeIt = () => {
    setAsking(false);
    void attempt(() => remove(collection), `“${name}” is deleted`);
  };
  return (
    <li className="flex flex-wrap items-center gap-2 border-t border-line py-2.5">
      <div className="min-w-0 grow basis-60">
        {runs ? (
          <Link to={collectionPath(slug)} className="link break-words">
            {name}
          </Link>
        ) : (
          <span className="break-words">{name}</span>
        )}
        <p className="quiet">
          {total === 0 ? "no deals: visitors see an empty list" : counted(total, "deal", "deals")}
          {state}
          {onHome && " · on the home page"}
          {inMenu && " · in the menu"}
        </p>
      </div>
      <div className="category-acts">
        <Button aria-label={`Change ${name}`} aria-expanded={open} onClick={() => setOpen(!open)}>
          Change
        </Button>
        <Button aria-label={`Delete ${name}`} onClick={() => setAsking(true)}>
          Delete
        </Button>
      </div>
      {open && (
        <div className="min-w-0 basis-full">
          <CollectionForm of={collection} onDone={() => setOpen(false)} />
        </div>
      )}
      {asking && (
        <Confirm
          title={`Delete “${name}”?`}
          confirm="Delete"
          onConfirm={removeIt}
          onCancel={() => setAsking(false)}
        >
          Its deals stay in the shop.
        </Confirm>
      )}
    </li>
  );
}
