import { useEffect, useRef, useState } from "react";
import { useCollectionChanges } from "../../api/office/collections";
import type { Collection } from "../../api/types";
import { counted } from "../../lib/rupees";
import { useAttempt } from "../../session/use-attempt";
import { collectionPath } from "../../shop/categories";
import { Button } from "../../ui/button";
import { classNames } from "../../ui/class-names";
import { Confirm } from "../../ui/dialog";
import { Link } from "../../ui/link";
import { CollectionForm } from "./collection-form";

/** A collection with what can be done with it; a new one comes into sight. */
export function CollectionRow({ of: collection, isNew }: { of: Collection; isNew: boolean }) {
  const { remove } = useCollectionChanges();
  const [open, setOpen] = useState(false);
  const [asking, setAsking] = useState(false);
  const attempt = useAttempt();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isNew) {
      row.current?.scrollIntoView({ block: "center" });
      row.current?.focus({ preventScroll: true });
    }
  }, [isNew]);
  const { name, slug, total, runs, startsAt, onHome, inMenu } = collection;
  const state = runs ? "" : startsAt && Date.parse(startsAt) > Date.now() ? " · not begun" : " · ended";
  const removeIt = () => {
    setAsking(false);
    void attempt(() => remove(collection), `“${name}” is deleted`);
  };
  return (
    <li
      ref={row}
      tabIndex={-1}
      className={classNames(
        "flex flex-wrap items-center gap-2 border-t border-line py-2.5",
        isNew && "just-added",
      )}
    >
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
        <Button variant="danger" aria-label={`Delete ${name}`} onClick={() => setAsking(true)}>
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
