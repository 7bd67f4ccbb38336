import { useState } from "react";
import { useCategoryChanges } from "../../api/office/categories";
import type { Category } from "../../api/types";
import { counted } from "../../lib/rupees";
import { ProductPicture } from "../../product/product-picture";
import { useAttempt } from "../../session/use-attempt";
import { pathOf, useCategoryPath } from "../../shop/categories";
import { Button } from "../../ui/button";
import { classNames } from "../../ui/class-names";
import { Confirm } from "../../ui/dialog";
import { SelectInput } from "../../ui/form/field";
import { Link } from "../../ui/link";
import { Menu } from "../../ui/menu";
import { CategoryForm } from "./category-form";

const ROW =
  "grid grid-cols-[44px_minmax(0,1fr)] items-center gap-2 border-line border-t py-2.5 wide:grid-cols-[44px_minmax(0,1fr)_auto]";

/** Choice of no category for the deals of one that has none. */
const REMOVED = "-";

interface CategoryRowProps {
  of: Category;
  all: readonly Category[];
}

/** A category with what can be done with it. */
export function CategoryRow({ of: category, all }: CategoryRowProps) {
  const { change, remove } = useCategoryChanges();
  const [open, setOpen] = useState(false);
  const [merging, setMerging] = useState(false);
  const [into, setInto] = useState("");
  const attempt = useAttempt();
  const categoryPath = useCategoryPath();
  const { name, parent, hidden, products } = category;
  const beside = all.filter((other) => other.parent === parent);
  const at = beside.indexOf(category);
  const merge = () => {
    setMerging(false);
    const target = all.find(({ slug }) => slug === into);
    const done = target ? `“${name}” is part of “${target.name}”` : `“${name}” is removed`;
    void attempt(() => remove(category, target?.slug ?? ""), done);
  };
  return (
    <li className={classNames(ROW, parent !== undefined && "pl-6")}>
      <ProductPicture src={undefined} alt="" category={name} />
      <div className="min-w-0">
        <Link to={categoryPath(name)} className="link break-words">
          {name}
        </Link>
        <p className="quiet">
          {counted(products, "deal", "deals")}
          {hidden && " · hidden"}
        </p>
      </div>
      <div className="category-acts wide:col-span-1">
        <Button
          aria-label={`Move ${name} up`}
          disabled={at === 0}
          onClick={() => void attempt(() => change(category, { position: at - 1 }))}
        >
          ↑
        </Button>
        <Button
          aria-label={`Move ${name} down`}
          disabled={at === beside.length - 1}
          onClick={() => void attempt(() => change(category, { position: at + 1 }))}
        >
          ↓
        </Button>
        <Button aria-label={`Change ${name}`} aria-expanded={open} onClick={() => setOpen(!open)}>
          Change
        </Button>
        <Menu label={`More of ${name}`}>
          <button
            type="button"
            role="menuitem"
            onClick={() => void attempt(() => change(category, { hidden: !hidden }))}
          >
            {hidden ? "Show to visitors" : "Hide from visitors"}
          </button>
          <button type="button" role="menuitem" onClick={() => setMerging(true)}>
            {products === 0 ? "Merge or delete" : "Merge into another"}
          </button>
        </Menu>
      </div>
      {open && (
        <div className="category-form">
          <CategoryForm of={category} all={all} onDone={() => setOpen(false)} />
        </div>
      )}
      {merging && (
        <Confirm
          title={`Merge “${name}”`}
          confirm={into === REMOVED ? "Delete" : "Merge"}
          disabled={into === ""}
          onConfirm={merge}
          onCancel={() => setMerging(false)}
        >
          <label htmlFor={`into-${category.slug}`}>Move its deals and addresses to</label>
          <SelectInput
            id={`into-${category.slug}`}
            value={into}
            onChange={(event) => setInto(event.target.value)}
          >
            <option value="" disabled>
              Choose a category
            </option>
            {products === 0 && <option value={REMOVED}>None: delete it</option>}
            {all.map(
              (other) =>
                other !== category && (
                  <option key={other.slug} value={other.slug}>
                    {pathOf(other)}
                  </option>
                ),
            )}
          </SelectInput>
        </Confirm>
      )}
    </li>
  );
}
