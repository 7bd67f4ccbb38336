import { useCategoryList } from "../../api/office/categories";
import { OfficeList } from "../../ui/office-list";
import { OfficeScreen } from "../../ui/office-screen";
import { CategoryForm } from "./category-form";
import { CategoryRow } from "./category-row";

/** The categories in their order, and the form for another. */
export function CategoriesPage() {
  const call = useCategoryList();
  const all = call.data?.data ?? [];
  return (
    <OfficeScreen title="Categories">
      <p className="hint max-w-[44rem]">
        Visitors see them in this order. A category may be part of another one. Old links and files keep
        working after renaming.
      </p>
      <div className="list-first">
        <OfficeList
          title="All categories"
          failure="The categories could not be loaded"
          none="No categories yet."
          call={call}
        >
          {(category) => <CategoryRow key={category.slug} of={category} all={all} />}
        </OfficeList>
        <section aria-label="New category" className="pane">
          <div className="pane-head">
            <h2>New category</h2>
          </div>
          <CategoryForm all={all} />
        </section>
      </div>
    </OfficeScreen>
  );
}
