import { failureText } from "../../api/failure";
import { useCatalogueChanges } from "../../api/office/catalogue-changes";
import type { Product } from "../../api/types";
import { counted, rupees } from "../../lib/rupees";
import { shortMoment } from "../../lib/time";
import { truncate } from "../../lib/truncate";
import { fields } from "../../shop/fields.json";
import { useToast } from "../../ui/toast/toast";
import { exactPercent } from "./exact-percent";

/** A change that can be undone for a while. */
export interface Done {
  key: string;
  message: string;
  undo: () => Promise<unknown>;
}

/** A field that is changed in its row. */
export type PriceField = "price" | "discount" | "finalPrice";

/** A change of a product from the menu of its row. */
export type RowAction = "end" | "delete";

/** Text of a message about the deal that is kept. */
export type Kept = Pick<Product, "_id" | "title" | "finalPrice">;

/** Returns the title of a product for a message, shortened. */
export function quoted({ title }: { title: string }): string {
  return `“${truncate(title, 60)}”`;
}

function shown(field: PriceField, product: Product): string {
  return field === "discount" ? exactPercent(product.discount) : rupees(product[field]);
}

/** Returns functions that change a product in its row, with an undo. */
export function useRowChanges(onDone: (done: Done) => void) {
  const { edit, changeMany, confirmPrices, undo } = useCatalogueChanges();
  const toast = useToast();
  const change = async (ids: string[], wanted: Parameters<typeof changeMany>[1], message: string) => {
    try {
      const { changed, undo: id } = await changeMany(ids, wanted);
      if (changed === 0) {
        toast({ title: "Somebody else ended or deleted it before", failure: true });
        return;
      }
      onDone({ key: id, message, undo: () => undo(id) });
    } catch (error) {
      toast({ title: failureText(error), failure: true });
    }
  };
  return {
    async edit(product: Product, field: PriceField, value: number) {
      const changed = await edit(product, { [field]: value });
      onDone({
        key: changed.updatedAt,
        message: `${fields[field].label} of ${quoted(product)}: ${shown(field, product)} → ${shown(field, changed)}.`,
        undo: () => {
          const { price, discount, finalPrice } = product;
          return edit(changed, { price, discount, finalPrice });
        },
      });
    },

    act(product: Product, action: RowAction) {
      const message = `${quoted(product)} ${action === "end" ? "has ended" : "is deleted"}.`;
      return change([product._id], { action }, message);
    },

    setEnd(product: Product, end: string, day: string) {
      const from = product.endsAt === undefined ? "" : ` instead of ${shortMoment(product.endsAt)}`;
      const message = `${quoted(product)} ends on ${day}${from}.`;
      return change([product._id], { action: "setEnd", value: end }, message);
    },

    /** Deletes the other deals of a group of duplicates, if this one is still the one to keep. */
    keepCheapest(product: Kept, others: string[]) {
      const deleted = counted(others.length, "other is deleted", "others are deleted");
      return change(
        [product._id, ...others],
        { action: "keepCheapest", value: product._id },
        `${quoted(product)} stays at ${rupees(product.finalPrice)}, ${deleted}.`,
      );
    },

    /** Says that these prices were looked at and are still the same. */
    async confirmPrices(products: readonly Product[]) {
      try {
        await confirmPrices(products);
        const [only, ...others] = products;
        toast({
          title:
            only && others.length === 0
              ? `${quoted(only)}: still ${rupees(only.finalPrice)}`
              : `${counted(products.length, "price is", "prices are")} still the same`,
        });
      } catch (error) {
        toast({ title: failureText(error), failure: true });
      }
    },
  };
}
